import { use } from "react";
import { texts } from "../../../texts/texts.ts";
import { RowActionsContext } from "../../sessions/row-actions.ts";
import { Icon } from "../../ui/Icon.tsx";

const t = texts.transcript;

/** Puts a message into the text box as a quotation, or what of it is selected. */
export function QuoteButton({ text }: { text: string }) {
  const { quote } = use(RowActionsContext);
  return (
    quote && (
      <button
        type="button"
        className="btn small ghost"
        aria-label={t.quote}
        title={t.quoteTitle}
        // A press would end the selection.
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
        onClick={({ currentTarget }) => quote(selectedIn(currentTarget.closest("[data-row]")) || text)}
      >
        <Icon name="quote" size={14} />
      </button>
    )
  );
}

/** What of this place is selected; nothing where the selection goes beyond it. */
function selectedIn(place: Element | null): string {
  const selection = document.getSelection();
  if (!place || !selection || selection.rangeCount === 0) return "";
  const { commonAncestorContainer } = selection.getRangeAt(0);
  return place.contains(commonAncestorContainer) ? selection.toString().trim() : "";
}
