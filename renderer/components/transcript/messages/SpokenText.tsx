import { useState } from "react";
import type { SpokenWords } from "../../../../shared/voice/voice-snapshot.ts";
import { nextWords, type PartialWords } from "../../../state/conversation/partial.ts";
import { texts } from "../../../texts/texts.ts";
import styles from "./SpokenText.module.css";

/** Words while they are being spoken: what stood there before is dark, what may still change is not. */
export function SpokenText({ partial, testId }: { partial: SpokenWords; testId: string }) {
  const { sure, unsure } = useWords(partial);
  return (
    <p data-testid={testId} data-words="">
      <span>
        {partial.who && <b>{texts.transcript[partial.who]} </b>}
        <span data-testid="sure">{sure}</span>
        <span className={styles.unsure}>{unsure}</span>
      </span>
    </p>
  );
}

/** Remembers the partial before, since sure is what stayed the same. */
function useWords(partial: SpokenWords): PartialWords {
  const [seen, setSeen] = useState(() => ({ partial, words: nextWords(null, partial) }));
  if (seen.partial === partial) return seen.words;
  const words = nextWords(seen.words, partial);
  setSeen({ partial, words });
  return words;
}
