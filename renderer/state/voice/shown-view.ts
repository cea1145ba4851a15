import type { ConversationView } from "../../../shared/conversation/transcript.ts";
import type { VoiceView } from "../../../shared/voice/voice-snapshot.ts";

/** A conversation as a window shows it: what its events make of it, and what main says of voice in it. */
export type ShownView = ConversationView & { voice: VoiceView };
