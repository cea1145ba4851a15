import { isDeepStrictEqual } from "node:util";
import type { Settings } from "../../../shared/settings.ts";
import { parseTalkKey } from "../../../shared/voice/talk-key.ts";

/** Whether a key is the one to talk with, in whichever order it is written. Pure. */
export function isKeyToTalk(
  name: string,
  settings: Pick<Settings, "voice.pushToTalk" | "voice.pushToTalkKey">,
): boolean {
  const key = parseTalkKey(name);
  if (key === null || settings["voice.pushToTalk"] === "off") return false;
  return isDeepStrictEqual(key, parseTalkKey(settings["voice.pushToTalkKey"]));
}
