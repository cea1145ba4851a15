import type { VoiceNow } from "../../../shared/voice/voice-snapshot.ts";
import { isLive, nameOf, type VoiceState } from "./voice-state.ts";

/** How voice stands, for the window. Pure. @param hint what to do to be heard; null where nothing is needed */
export function shownState(state: VoiceState, isTesting: boolean, hint: string | null): VoiceNow {
  if (state.kind === "failed") {
    return { state: "failed", isTesting, conversationId: state.conversationId, detail: state.detail };
  }
  if (!isLive(state)) return { state: "off", isTesting };
  const { conversationId, source, detail, partial, isMuted, mode, sources } = state;
  return {
    state: nameOf(state),
    ...{ source, conversationId, detail, partial, hint, isMuted },
    isDictating: mode === "dictation",
    device: sources.find((one) => one.source === "microphone")?.device ?? null,
    recordingTo: sources.find(({ recordingTo }) => recordingTo !== null)?.recordingTo ?? null,
  };
}
