import { isOn } from "../../../shared/voice/voice-snapshot.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./VoiceElsewhere.module.css";

const t = texts.voice;

/** Voice is one for the app: when it is on in another conversation, this one says so. */
export function VoiceElsewhere({ shownId }: { shownId: string }) {
  const windowState = useWindowState();
  const voice = useStore(windowState.voicePanel.snapshot);
  const sessions = useStore(windowState.library.list.sessions);
  if (!voice || !isOn(voice.now)) return null;
  const { conversationId, state } = voice.now;
  if (conversationId === shownId) return null;
  const title = sessions.find((other) => other.conversationId === conversationId)?.title;
  return (
    <p className={styles.elsewhere} data-testid="voice-elsewhere">
      <span>{title ? t.elsewhere(t.states[state], title) : t.elsewhereUnknown(t.states[state])}</span>
      <button
        type="button"
        className="btn small"
        onClick={() => windowState.show(conversationId)}
        title={t.showTitle}
      >
        {t.show}
      </button>
      <button
        type="button"
        className="btn small ghost"
        onClick={() => void windowState.stopVoice()}
        title={t.stopListening}
      >
        {t.stopListening}
      </button>
    </p>
  );
}
