import { useState } from "react";
import { nextWords, type SpokenWords } from "../../state/conversation/partial.ts";

interface Partial {
  utteranceId: string;
  text: string;
}

/** Words while they are being spoken: what stood there before is dark, what may still change is not. */
export function SpokenText({ partial, testId }: { partial: Partial; testId: string }) {
  const { sure, unsure } = useWords(partial);
  return (
    <p className="partial" data-testid={testId}>
      <span>
        <span className="sure">{sure}</span>
        <span className="unsure">{unsure}</span>
      </span>
    </p>
  );
}

/** Remembers the partial before, since sure is what stayed the same. */
function useWords(partial: Partial): SpokenWords {
  const [seen, setSeen] = useState(() => ({ partial, words: nextWords(null, partial) }));
  if (seen.partial === partial) return seen.words;
  const words = nextWords(seen.words, partial);
  setSeen({ partial, words });
  return words;
}
