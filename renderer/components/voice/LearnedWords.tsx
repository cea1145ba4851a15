import { useEffect } from "react";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./VoiceElsewhere.module.css";

const t = texts.voice;

/** How long what was learned can be taken back here, in milliseconds; the list in the voice panel has it longer. */
const shownMs = 20_000;

/** Says which words a correction has taught, and takes them back. */
export function LearnedWords() {
  const { voicePanel } = useWindowState();
  const learned = useStore(voicePanel.learned);
  useEffect(() => {
    if (!learned) return;
    const timer = setTimeout(voicePanel.dismissLearned, shownMs);
    return () => clearTimeout(timer);
  }, [learned, voicePanel]);
  if (!learned) return null;
  return (
    <p className={styles.elsewhere} role="status" data-testid="learned-words">
      <span>{t.learned(learned.map(t.quoted).join(", "))}</span>
      <button type="button" className="btn small" onClick={voicePanel.unlearn} title={t.unlearnTitle}>
        {texts.common.undo}
      </button>
      <button
        type="button"
        className="btn icon ghost"
        aria-label={texts.common.dismiss}
        title={texts.common.dismiss}
        onClick={voicePanel.dismissLearned}
      >
        <Icon name="close" size={13} />
      </button>
    </p>
  );
}
