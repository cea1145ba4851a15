import type { UserError, VoiceStateName } from "../../../shared/conversation/events.ts";
import type { VoiceSource } from "../../../shared/conversation/messages.ts";
import type { StartSessionArguments } from "../../../shared/voice/stt.ts";

/** What voice is started with. */
export interface VoiceStart {
  source: VoiceSource;
  path?: string | undefined;
  pace?: StartSessionArguments["pace"] | undefined;
  deviceId?: string | undefined;
  deviceName?: string | undefined;
  /** In the place of the settings', for this session. */
  language?: string | undefined;
  endpointingMs?: number | undefined;
  utteranceEndMs?: number | undefined;
  /** Whatever the settings say of push-to-talk: for what is begun and ended by hand. */
  isHandsFree?: boolean | undefined;
  /** A configured MCP server in the place of Parley's own. */
  server?: string | undefined;
}

/** How voice stands; after it was switched off, how it ended. */
export interface VoiceStatus {
  state: VoiceStateName;
  source: VoiceSource | null;
  conversationId: string | null;
  /** Of both sources in a meeting, joined by a comma. */
  sessionId: string | null;
  isMuted: boolean;
  utterances: number;
  prompts: number;
  restarts: number;
  lastText: string | null;
  lastError: UserError | null;
}

export const offStatus: VoiceStatus = {
  state: "off",
  source: null,
  conversationId: null,
  sessionId: null,
  isMuted: false,
  utterances: 0,
  prompts: 0,
  restarts: 0,
  lastText: null,
  lastError: null,
};

export const isOver = (state: VoiceStateName): boolean => state === "off" || state === "failed";

/** Of several ears: what the user should know first. */
const precedence: readonly VoiceStateName[] = [
  "restarting",
  "starting",
  "hearing",
  "transcribing",
  "listening",
];

/** What several sources do together, in one word. */
export const stateOf = (ears: readonly { state: VoiceStateName }[]): VoiceStateName =>
  precedence.find((state) => ears.some((ear) => ear.state === state)) ?? "listening";
