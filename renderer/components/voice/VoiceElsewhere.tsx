import { voiceLabels } from "../../state/conversation/wording.ts";
import { useStore } from "../../state/store.ts";
import { isOn } from "../../state/window-state.ts";
import { useWindowState } from "../window/window-context.ts";

/** Voice is one for the app: when it is on in another conversation, this one says so. */
export function VoiceElsewhere({ shownId }: { shownId: string }) {
  const windowState = useWindowState();
  const { conversationId, state } = useStore(windowState.voice);
  const sessions = useStore(windowState.library.list.sessions);
  if (conversationId === null || conversationId === shownId || !isOn(state)) return null;
  const title = sessions.find((other) => other.conversationId === conversationId)?.title;
  return (
    <p className="elsewhere" data-testid="voice-elsewhere">
      <span>
        {voiceLabels[state]} in {title ? `“${title}”` : "another conversation"}. What is said goes there.
      </span>
      <button
        type="button"
        className="btn small"
        onClick={() => windowState.show(conversationId)}
        title="Show that conversation"
      >
        Show it
      </button>
      <button
        type="button"
        className="btn small ghost"
        onClick={() => void windowState.stopVoice()}
        title="Stop listening"
      >
        Stop listening
      </button>
    </p>
  );
}
