import { createContext, use, useState } from "react";
import type { BegunWords } from "../../state/conversation/drafts.ts";

/** Where the conversation that is shown keeps what is begun outside of its text box. */
interface ShownWords {
  conversationId: string;
  begun: BegunWords;
}

/** null: it is kept nowhere. */
export const BegunWordsContext = createContext<ShownWords | null>(null);

/** Words that are there again when their conversation is. @param place what they are for; null: nothing is begun there */
export function useBegunWords(place: string): [words: string | null, write: (words: string | null) => void] {
  const shown = use(BegunWordsContext);
  const [words, setWords] = useState(() => shown?.begun.get(shown.conversationId, place) ?? null);
  const write = (next: string | null) => {
    shown?.begun.set(shown.conversationId, place, next);
    setWords(next);
  };
  return [words, write];
}
