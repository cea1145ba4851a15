import { useState } from "react";
import { nextWords, type PartialWords } from "../../../state/conversation/partial.ts";
import styles from "./SpokenText.module.css";

interface Partial {
  utteranceId: string;
  text: string;
}

/** Words while they are being spoken: what stood there before is dark, what may still change is not. */
export function SpokenText({ partial, testId }: { partial: Partial; testId: string }) {
  const { sure, unsure } = useWords(partial);
  return (
    <p data-testid={testId} data-words="">
      <span>
        <span data-testid="sure">{sure}</span>
        <span className={styles.unsure}>{unsure}</span>
      </span>
    </p>
  );
}

/** Remembers the partial before, since sure is what stayed the same. */
function useWords(partial: Partial): PartialWords {
  const [seen, setSeen] = useState(() => ({ partial, words: nextWords(null, partial) }));
  if (seen.partial === partial) return seen.words;
  const words = nextWords(seen.words, partial);
  setSeen({ partial, words });
  return words;
}
