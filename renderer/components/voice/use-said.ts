import { useMemo } from "react";
import type { SpokenReply } from "../../../shared/voice/voice-snapshot.ts";
import { partOf, useStore } from "../../state/store.ts";
import { useWindowState } from "../window/window-context.ts";

/**
 * How far this reply is said aloud; null: it is not. Every reply asks, and the conversation changes with every word: only what
 * asks for the reply that is said is rendered again.
 */
export function useSaid(messageId: string): SpokenReply | null {
  const { view } = useWindowState();
  const said = useMemo(
    () =>
      partOf(view, (shown) => {
        const speech = shown?.voice.speech;
        return speech?.messageId === messageId ? speech : null;
      }),
    [view, messageId],
  );
  return useStore(said);
}

/** Whether only the beginning of this reply is said aloud. */
export function useShortened(messageId: string): boolean {
  const { view } = useWindowState();
  const shortened = useMemo(
    () => partOf(view, (shown) => shown?.voice.shortenedId === messageId),
    [view, messageId],
  );
  return useStore(shortened);
}
