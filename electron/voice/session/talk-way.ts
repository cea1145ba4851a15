import type { Settings } from "../../../shared/settings.ts";

/** How the user talks by a key, as things are on this computer. `why`: why not as they wish. */
export type TalkWay =
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
    return "Parley may not see when the key is let go. Allow it under System Settings › Privacy & Security › Accessibility.";
  }
  if (platform !== "linux") return null;
  if (env.XDG_SESSION_TYPE === "wayland" || env.WAYLAND_DISPLAY) {
    return "Wayland tells no program when a key is let go outside of its own windows.";
  }
  return env.DISPLAY ? null : "There is no X display to hear keys from.";
}

/** One sentence for the settings, `/voice status` and the line below the window; null where there is nothing to tell. */
export function talkWords(way: TalkWay): string | null {
  switch (way.how) {
    case "off":
      return null;
    case "hold":
      return `Hold ${way.key} to talk.`;
    case "tap":
      return `Tap ${way.key} to talk, and again when you are done.${way.why ? ` It cannot be held: ${way.why}` : ""}`;
    case "none":
      return `Push-to-talk by ${way.key} does not work: ${way.why}`;
  }
}

/** What to do while the user talks by a key; null where none is in use. */
export function whileTalkingWords(way: TalkWay): string | null {
  if (way.how === "hold") return `Speak, and let go of ${way.key} when you are done.`;
  return way.how === "tap" ? `Speak, and tap ${way.key} again when you are done.` : null;
}

/**
 * What has to be said first; null where everything is heard. With a key nobody needs a phrase, and a meeting is heard as a whole.
 */
export function wakePhraseOf(
  start: { source: string; isHandsFree?: boolean | undefined },
  settings: Settings,
): string | null {
  const { "voice.wakePhrase": phrase } = settings;
  if (start.source !== "microphone" || start.isHandsFree || isPushToTalk(settings)) return null;
  return phrase === "" ? null : phrase;
}

/** The microphone is open, and nothing is heard until the user talks by the key. */
export const isPushToTalk = (settings: Settings): boolean => settings["voice.pushToTalk"] !== "off";
