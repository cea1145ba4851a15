import { globalShortcut } from "electron";
import type { QuickShortcutInfo } from "../../../shared/ipc/setting-routes.ts";
import type { Settings } from "../../../shared/settings.ts";
import { acceleratorOf, parseTalkKey } from "../../../shared/voice/talk-key.ts";
import { isKeyToTalk } from "./key-to-talk.ts";
import type { ShortcutSystem } from "./shortcut-system.ts";

export interface QuickKeyOptions {
  settings(): Settings;
  press(): void;
  /** `info` is another one now. */
  onChange(): void;
}

const onX: ShortcutSystem = { isWayland: false, hasPortal: false, desktop: null };

const none: QuickShortcutInfo = { key: "", problem: null, isFree: false, desktop: null };

/** The shortcut of the quick prompt, in any program. */
export class QuickKey {
  readonly #options: QuickKeyOptions;
  #system = onX;
  #taken: string | null = null;
  #isToTalk = false;
  #info = none;
  /** The key that the desktop runs `parley --quick` for. */
  #bound: string | null = null;

  constructor(options: QuickKeyOptions) {
    this.#options = options;
  }

  get info(): QuickShortcutInfo {
    return this.#info;
  }

  /** What was found out about this computer. */
  knowSystem(system: ShortcutSystem): void {
    this.#system = system;
    this.#info = none;
    this.apply();
  }

  /** The desktop runs `parley --quick` for this key now; null: for none. */
  knowBound(key: string | null): void {
    this.#bound = key;
    this.#info = none;
    this.apply();
  }

  /** Takes over the settings as they are now; where nothing changed it does nothing. */
  apply(): void {
    const { quickShortcut: key, ...settings } = this.#options.settings();
    const isToTalk = isKeyToTalk(key, settings);
    if (key === this.#info.key && isToTalk === this.#isToTalk) return;
    this.#isToTalk = isToTalk;
    this.dispose();
    const parsed = parseTalkKey(key);
    const accelerator = parsed && acceleratorOf(parsed);
    const isTaken = accelerator !== null && !globalShortcut.register(accelerator, this.#options.press);
    if (accelerator !== null && !isTaken) this.#taken = accelerator;
    const why = key === "" || key === this.#bound ? null : whyNot(key, isTaken, this.#system);
    const problem = why ?? (isToTalk ? alsoToTalk(key) : null);
    const isFree = this.#taken !== null && problem === null && !this.#system.isWayland;
    this.#info = { key, problem, isFree, desktop: why === null ? null : this.#system.desktop };
    this.#options.onChange();
  }

  /** Gives its key back where the settings want another one: who is to have it from now on finds it free. */
  letGo(): void {
    if (this.#options.settings().quickShortcut !== this.#info.key) this.dispose();
  }

  dispose(): void {
    if (this.#taken !== null) globalShortcut.unregister(this.#taken);
    this.#taken = null;
  }
}

const alsoToTalk = (key: string) =>
  `${key} opens the quick prompt and is the key to talk, too (\`voice.pushToTalkKey\`), which is not heard: choose another key for one of them.`;

/** Pure. @param isTaken the system refused it @returns null: it works, as far as is known */
export function whyNot(
  key: string,
  isTaken: boolean,
  { isWayland, hasPortal }: ShortcutSystem,
): string | null {
  // There a program is told that it has a key which then reaches it in its own windows only.
  if (isWayland && !hasPortal) {
    return `On Wayland this desktop gives programs no system-wide shortcuts, so ${key} works only in Parley’s windows. Bind it to \`parley --quick\` in the desktop’s settings.`;
  }
  if (!isTaken) return null;
  return isWayland
    ? `The desktop did not give Parley ${key}. Allow it when it asks, or choose another key.`
    : `Another program, or the desktop, already uses ${key}. Choose another key.`;
}
