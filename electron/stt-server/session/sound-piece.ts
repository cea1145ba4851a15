import type { UtteranceEndReason } from "../../../shared/voice/stt.ts";

/** What a session's stages hand on to each other, in the order of its clock. */
export type SoundPiece =
  | { type: "sound"; pcm: Int16Array }
  /** Sound that is missing, heard as silence. */
  | { type: "silence"; ms: number }
  /** Time in which nothing is heard. What was heard before it is not part of what comes after. */
  | { type: "skip"; samples: number }
  /** What is being said ends here. */
  | { type: "end"; reason: UtteranceEndReason }
  /** The user talks by a key from here on, or no more. */
  | { type: "talk"; isTalking: boolean };
