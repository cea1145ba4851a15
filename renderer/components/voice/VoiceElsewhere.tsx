import { voiceLabels } from "../../state/conversation/wording.ts";
import { useStore } from "../../state/store.ts";
import { isOn } from "../../state/window-state.ts";
import { useWindow } from "../window/window-context.ts";

/** Voice is one for the app: when it is on in another conversation, this one says so. */
export function VoiceElsewhere({ shownId }: { shownId: string }) {
  const window = useWindow();
  const { conversationId, state } = useStore(window.voice);
  const sessions = useStore(window.library.list.sessions);
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
        onClick={() => window.show(conversationId)}
        title="Show that conversation"
      >
        Show it
      </button>
      <button
        type="button"
        className="btn small ghost"
        onClick={() => void window.stopVoice()}
        title="Stop listening"
      >
        Stop listening
      </button>
    </p>
  );
}
