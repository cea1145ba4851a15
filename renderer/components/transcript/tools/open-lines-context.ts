import { createContext, use } from "react";
import { OpenLines } from "../../../state/conversation/open-lines.ts";
import { useStore } from "../../../state/store.ts";

/** Where the lines that are shown keep whether they are opened. */
interface ShownLines {
  conversationId: string;
  lines: OpenLines;
}

export const OpenLinesContext = createContext<ShownLines>({ conversationId: "", lines: new OpenLines() });

type OpenLine = [isOpen: boolean, toggle: () => void, isTouched: boolean];

/** Whether a line is opened, kept for its conversation. @param byItself where nobody has said */
export function useOpenLine(key: string, byItself = false): OpenLine {
  const { conversationId, lines } = use(OpenLinesContext);
  const line = lines.of(conversationId, key);
  const chosen = useStore(line);
  const isOpen = chosen ?? byItself;
  return [isOpen, () => line.set(!isOpen), chosen !== null];
}
