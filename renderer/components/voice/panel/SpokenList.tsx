import { useRef } from "react";
import { spokenCommandList } from "../../../../shared/voice/spoken-commands.ts";
import { type Signal, useSignal } from "../../../state/signal.ts";
import { texts } from "../../../texts/texts.ts";
import styles from "./VoicePanel.module.css";

const t = texts.voicePanel.spoken;

/** What can be said to Parley itself. @param wanted the user asks for it */
export function SpokenList({ wanted }: { wanted: Signal }) {
  const fold = useRef<HTMLDetailsElement>(null);
  useSignal(wanted, () => {
    if (!fold.current) return false;
    fold.current.open = true;
    fold.current.scrollIntoView({ block: "start" });
    fold.current.querySelector("summary")?.focus();
    return true;
  });
  return (
    <details ref={fold} className={styles.fold} data-testid="spoken">
      <summary>{t.title}</summary>
      <p className={styles.quiet}>{t.about}</p>
      <dl className={styles.spoken} data-testid="spoken-commands">
        {spokenCommandList.map(({ says, does }) => (
          <div key={does + says[0]}>
            <dt>{says.map((words) => `“${words}”`).join(", ")}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
