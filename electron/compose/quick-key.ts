import { bindShortcut, isBound } from "../desktop/keys/bind-shortcut.ts";
import { QuickKey } from "../desktop/keys/quick-key.ts";
import { desktopOf, isWayland, lookForShortcuts } from "../desktop/keys/shortcut-system.ts";
import type { TalkKeys } from "../desktop/keys/talk-keys.ts";
import { launcherWords } from "../desktop/launch/launcher-path.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import type { Base } from "./base.ts";
import type { Disposal } from "./disposal.ts";

/** How long the session's bus has to answer, in milliseconds. */
const lookMs = 3000;

interface ComposeQuickKeyOptions {
  base: { settings: Pick<Base["settings"], "current" | "onChange">; log: Pick<Base["log"], "info"> };
  disposal: Pick<Disposal, "defer">;
  windows: Pick<Windows, "broadcast"> & { quick: Pick<Windows["quick"], "toggle"> };
  /** It may be the same key: only one of them can have it. */
  keyToTalk: Pick<TalkKeys, "apply">;
}

/** The keys that Parley has in any program: the shortcut of the quick prompt, and the key to talk. */
export function composeQuickKey({ base, disposal, windows, keyToTalk }: ComposeQuickKeyOptions) {
  const { settings, log } = base;
  const key = new QuickKey({
    settings: settings.current,
    press: () => windows.quick.toggle(),
    onChange: () => {
      if (key.info.problem !== null) log.info(`quick prompt: ${key.info.problem}`);
      windows.broadcast({ type: "app" });
    },
  });
  let isStarted = false;
  const apply = () => {
    // What one gives up the other may have now.
    key.letGo();
    keyToTalk.apply();
    key.apply();
  };
  settings.onChange(() => {
    if (isStarted) apply();
  });
  disposal.defer(() => key.dispose());
  const look = async () => {
    try {
      const signal = AbortSignal.timeout(lookMs);
      key.knowSystem(await lookForShortcuts(process.env, process.versions.electron, signal));
    } catch (error) {
      log.info(`quick prompt: ${String(error)}`);
      key.knowSystem({ isWayland: true, hasPortal: false, desktop: desktopOf(process.env) });
    }
    await lookForBinding();
  };
  const lookForBinding = async () => {
    const { key: name, desktop } = key.info;
    if (desktop !== null && (await isBound(desktop, name, process.env))) key.knowBound(name);
  };
  return {
    get info() {
      return key.info;
    },
    /** Takes the keys; on Wayland the desktop is asked first what it can. */
    start: () => {
      isStarted = true;
      if (!isWayland(process.env)) return apply();
      keyToTalk.apply();
      void look();
    },
    bind: async () => {
      const { key: name, desktop } = key.info;
      if (desktop === null) throw new Error("Parley can't set a shortcut in this desktop’s settings.");
      const said = await bindShortcut(desktop, name, launcherWords(), process.env);
      await lookForBinding();
      return said;
    },
  };
}
