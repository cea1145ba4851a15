import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useMemo, useRef } from "react";
import { removed, withoutSecrets } from "../../../shared/safety/redact.ts";
import { listTime } from "../../state/conversation/wording.ts";
import type { QuickOpened } from "../../state/quick-state.ts";
import { texts } from "../../texts/texts.ts";
import { Icon, type IconName } from "../ui/Icon.tsx";
import styles from "./QuickPrompt.module.css";

const t = texts.quick;

/** UTF-16 units of the selection that are shown. */
const excerptChars = 60;

interface QuickOffersProps {
  opening: QuickOpened;
  /** The text box: the arrow keys lead from it into the list, and back. */
  box: RefObject<HTMLTextAreaElement | null>;
  onSelection: (words: string) => void;
  onPicture: () => void;
  onGoOn: () => void;
}

/** What an empty quick prompt can begin with: Enter takes the first one. */
export function QuickOffers({ opening, box, ...on }: QuickOffersProps) {
  const list = useRef<HTMLDivElement>(null);
  const { selection, conversation } = opening;
  useEffect(() => {
    const field = box.current;
    const into = (event: globalThis.KeyboardEvent) => {
      const [first, second] = list.current?.querySelectorAll("button") ?? [];
      if (field?.value !== "" || event.shiftKey || event.ctrlKey || event.metaKey || event.isComposing)
        return;
      // The first one is chosen already: the arrow goes on from there.
      if (event.key === "ArrowDown") (second ?? first)?.focus();
      else if (event.key === "Enter") first?.click();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    field?.addEventListener("keydown", into);
    return () => field?.removeEventListener("keydown", into);
  }, [box]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const rows = [...(list.current?.querySelectorAll("button") ?? [])];
    const at = rows.findIndex((row) => row.matches(":focus"));
    const next = rows[at + step];
    (next ?? (step < 0 ? box.current : null))?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields
    <div ref={list} className={styles.offers} role="group" aria-label={t.offers} onKeyDown={onKeyDown}>
      {selection !== null && (
        <SelectionOffer selection={selection} onChoose={() => on.onSelection(selection)} />
      )}
      <Offer icon="picture" label={t.askPicture} onChoose={on.onPicture} />
      {conversation && !conversation.isGoingOn && (
        <Offer icon="chat" label={t.goOn(conversation.title)} onChoose={on.onGoOn}>
          <span className={styles.when}>{listTime(conversation.usedAt)}</span>
        </Offer>
      )}
    </div>
  );
}

/** The words are shown for everybody in sight to read: keys among them are hidden. What is sent is what was selected. */
function SelectionOffer({ selection, onChoose }: { selection: string; onChoose: () => void }) {
  const shown = useMemo(() => withoutSecrets(selection), [selection]);
  return (
    <Offer icon="quote" label={t.askSelection} onChoose={onChoose}>
      <span className={styles.excerpt}>{t.quoted(excerpt(shown.replaceAll(removed, t.hidden)))}</span>
      {shown !== selection && <span className={styles.when}>{t.holdsSecret}</span>}
    </Offer>
  );
}

interface OfferProps {
  icon: IconName;
  label: string;
  onChoose: () => void;
  children?: ReactNode;
}

function Offer({ icon, label, onChoose, children }: OfferProps) {
  return (
    <button type="button" className={styles.offer} data-testid="quick-offer" onClick={onChoose}>
      <Icon name={icon} size={18} />
      <span dir="auto">{label}</span>
      {children}
    </button>
  );
}

function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > excerptChars ? `${line.slice(0, excerptChars)}…` : line;
}
