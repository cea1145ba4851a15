import type { VoiceNow } from "../../../shared/voice/voice-snapshot.ts";
import { isLive, nameOf, sourceOf, type VoiceState } from "./voice-state.ts";

/**
 * How voice stands, for the window. Pure.
 * @param conversationId where its words go, or went @param hint what to do to be heard; null where nothing is needed
 * @param isTrial what is dictated is only shown @param isQuick it listens for the quick prompt
 */
export function shownState(
  state: VoiceState,
  conversationId: string,
  isTesting: boolean,
  hint: string | null,
  isTrial = false,
  isQuick = false,
): VoiceNow {
  if (state.kind === "failed") {
    return { state: "failed", isTesting, conversationId, detail: state.detail };
  }
  if (!isLive(state)) return { state: "off", isTesting };
  const { detail, partial, isMuted, mode, sources } = state;
  return {
    state: nameOf(state),
    ...{ source: sourceOf(state), conversationId, detail, partial, hint, isMuted },
    isDictating: mode === "dictation",
    ...{ isTrial, isQuick },
    device: sources.find((one) => one.source === "microphone")?.device ?? null,
    recordingTo: sources.find(({ recordingTo }) => recordingTo !== null)?.recordingTo ?? null,
  };
}
