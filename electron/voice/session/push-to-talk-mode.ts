/** How the user talks by a key, as things are on this computer. `why`: why not as they wish. */
export type PushToTalkMode =
  | { how: "off" }
  | { how: "hold"; key: string }
  | { how: "tap"; key: string; why?: string }
  | { how: "none"; key: string; why: string };

/** What of this computer decides whether a key can be held. */
export interface TalkSystem {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** macOS: whether Parley may see keys that other programs get. */
  maySeeKeys: boolean;
}

/** @returns why keys cannot be held here; null where they can, as far as is known before it is tried */
export function whyNoHold({ platform, env, maySeeKeys }: TalkSystem): string | null {
  if (platform === "darwin" && !maySeeKeys) {
    return "Parley is not allowed to see when the key is released. Allow it under System Settings › Privacy & Security › Accessibility.";
  }
  if (platform !== "linux") return null;
  if (env.XDG_SESSION_TYPE === "wayland" || env.WAYLAND_DISPLAY) {
    return "Wayland does not tell programs when a key is released outside their own windows.";
  }
  return env.DISPLAY ? null : "There is no X display to read keys from.";
}

/** One sentence for the settings, `/voice status` and the line below the window; null where there is nothing to tell. */
export function pushToTalkHint(mode: PushToTalkMode): string | null {
  switch (mode.how) {
    case "off":
      return null;
    case "hold":
      return `Hold ${mode.key} to talk.`;
    case "tap":
      return `Tap ${mode.key} to talk, and again when you are done.${mode.why ? ` You can't hold it: ${mode.why}` : ""}`;
    case "none":
      return `Push-to-talk with ${mode.key} does not work: ${mode.why}`;
  }
}

/** What to do while the user talks by a key; null where none is in use. */
export function pushToTalkEndHint(mode: PushToTalkMode): string | null {
  if (mode.how === "hold") return `Speak, and release ${mode.key} when you are done.`;
  return mode.how === "tap" ? `Speak, and tap ${mode.key} again when you are done.` : null;
}
