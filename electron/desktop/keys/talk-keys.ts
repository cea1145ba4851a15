import { globalShortcut, systemPreferences } from "electron";
import type { Settings } from "../../../shared/settings.ts";
import { acceleratorOf, parseTalkKey, type TalkKey } from "../../../shared/voice/talk-key.ts";
import { type PushToTalkMode, whyNoHold } from "../../voice/session/push-to-talk-mode.ts";
import { KeyHook } from "./key-hook.ts";
import { isKeyToTalk } from "./key-to-talk.ts";

export interface TalkKeysOptions {
  /** The built entry of the process that listens to a key. */
  entry: string;
  settings(): Settings;
  press(): void;
  release(): void;
  tap(): void;
  /** `mode` is another one now. */
  onChange(): void;
  onLog(line: string): void;
}

/** Brings the key of the settings to push-to-talk: held where the system lets it be heard, else tapped. */
export class TalkKeys {
  readonly #options: TalkKeysOptions;
  #mode: PushToTalkMode = { how: "off" };
  #wish = "off";
  #end: () => void = () => undefined;

  constructor(options: TalkKeysOptions) {
    this.#options = options;
  }

  get mode(): PushToTalkMode {
    return this.#mode;
  }

  /** Takes over the settings as they are now; where nothing changed it does nothing. */
  apply(): void {
    const settings = this.#options.settings();
    const { "voice.pushToTalk": mode, "voice.pushToTalkKey": name } = settings;
    const isQuick = isKeyToTalk(settings.quickShortcut, settings);
    const wish = mode === "off" ? mode : `${mode} ${name}${isQuick ? " quick" : ""}`;
    if (wish === this.#wish) return;
    this.dispose();
    this.#wish = wish;
    const key = parseTalkKey(name);
    if (mode === "off" || !key) {
      this.#options.onChange();
      return;
    }
    if (isQuick) {
      this.#notHeard(name, "It opens the quick prompt: choose another key for one of them.");
      return;
    }
    const why = mode === "hold" ? this.#whyNoHold() : undefined;
    if (mode === "hold" && why === null) this.#hold(name, key);
    else this.#tap(name, key, why ?? undefined);
  }

  dispose(): void {
    this.#end();
    this.#end = () => undefined;
    this.#mode = { how: "off" };
    this.#wish = "off";
    this.#options.release();
  }

  #whyNoHold(): string | null {
    const { platform, env } = process;
    // macOS asks the user the first time.
    const maySeeKeys = platform !== "darwin" || systemPreferences.isTrustedAccessibilityClient(true);
    return whyNoHold({ platform, env, maySeeKeys });
  }

  #hold(name: string, key: TalkKey): void {
    const { entry, press, release, onLog } = this.#options;
    const hook = new KeyHook(key, {
      entry,
      onDown: press,
      onUp: release,
      onFailed: (why) => this.#tap(name, key, why),
      onLog,
    });
    this.#end = () => hook.dispose();
    this.#mode = { how: "hold", key: name };
    this.#options.onChange();
  }

  /** @param why it is not held, where the user wished it */
  #tap(name: string, key: TalkKey, why?: string): void {
    const { tap, onChange } = this.#options;
    const accelerator = acceleratorOf(key);
    const isTaken = accelerator !== null && !globalShortcut.register(accelerator, tap);
    if (accelerator === null || isTaken) {
      const reason = isTaken
        ? "Another program already uses it, or this system offers no shortcuts. Choose another key."
        : "This key can only be held, not tapped. Choose a key such as F9.";
      this.#notHeard(name, why === undefined ? reason : `${why} ${reason}`);
    } else {
      this.#end = () => globalShortcut.unregister(accelerator);
      this.#mode = { how: "tap", key: name, ...(why !== undefined && { why }) };
      onChange();
    }
  }

  #notHeard(key: string, why: string): void {
    this.#end = () => undefined;
    this.#mode = { how: "none", key, why };
    this.#options.onChange();
  }
}
