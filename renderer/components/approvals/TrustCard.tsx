import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { BroughtFile, TrustRequest } from "../../../shared/safety/trust.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { latinKey } from "../../state/keys/latin-key.ts";
import { type Signal, useSignal } from "../../state/signal.ts";
import { useStore } from "../../state/store.ts";
import { canTrust, type Trust } from "../../state/trust.ts";
import { texts } from "../../texts/texts.ts";
import cards from "../ui/Card.module.css";
import styles from "./TrustCard.module.css";

const t = texts.approvals.trust;

interface TrustPlaceProps {
  trust: Trust;
  /** The user asks for the keyboard to go to what waits. */
  focusWanted?: Signal | undefined;
  /** Nothing goes before it. */
  isFirst?: boolean;
}

/** The card about what the folder brings, where something waits. Its run does not: it goes on without. */
export function TrustPlace({ trust, focusWanted, isFirst = true }: TrustPlaceProps) {
  const request = useStore(trust.request);
  // What was written elsewhere in the meantime is there when the user comes back.
  useEffect(() => {
    const look = () => void trust.load();
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, [trust]);
  if (!request) return null;
  const onAnswer = (isTrusted: boolean) => void trust.answer(request.id, isTrusted);
  return <TrustCard key={request.id} {...{ request, onAnswer, focusWanted, isFirst }} />;
}

interface TrustCardProps {
  request: TrustRequest;
  onAnswer: (isTrusted: boolean) => void;
  focusWanted: Signal | undefined;
  isFirst: boolean;
}

/** A press that was meant for what stood here before is no answer, in milliseconds. */
const freshMs = 400;

/** With the card focused: Y trusts, N works without. */
function TrustCard({ request, onAnswer, focusWanted, isFirst }: TrustCardProps) {
  const card = useRef<HTMLElement>(null);
  // A wish from before this card was there was not for it.
  const isOld = useRef(true);
  useSignal(focusWanted, () => {
    if (isFirst && !isOld.current) card.current?.focus();
    return isFirst && !isOld.current;
  });
  useEffect(() => {
    isOld.current = false;
  }, []);

  const [isFresh, setIsFresh] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setIsFresh(false), freshMs);
    return () => clearTimeout(timer);
  }, []);

  const { folder, files } = request;
  const isTrustable = canTrust(request);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Keys that were meant for a button or a text in it are theirs; one that is held down was meant for what was there before.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat) return;
    const letter = latinKey(event);
    if (letter === "y" && isTrustable) onAnswer(true);
    else if (letter === "n") onAnswer(false);
    else return;
    event.preventDefault();
  };
  return (
    <section
      ref={card}
      className={`${cards.card} ${styles.trust}`}
      data-testid="trust"
      aria-label={t.label}
      aria-keyshortcuts="Y N"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className={`${cards.head} ${styles.head}`}>
        <b>{isTrustable ? t.question : t.unusual}</b>
        <code>{visibleText(folder)}</code>
      </div>
      <ul>
        {files.map((file) => (
          <Brought key={file.path} file={file} />
        ))}
      </ul>
      <p className="hint">{isTrustable ? t.about : t.leftOutAbout}</p>
      <div className={cards.row}>
        {isTrustable && (
          <button
            type="button"
            className="btn primary"
            disabled={isFresh}
            title={t.trustTitle}
            onClick={() => onAnswer(true)}
          >
            {t.trust}
          </button>
        )}
        <button
          type="button"
          className="btn"
          disabled={isFresh}
          title={t.withoutTitle}
          onClick={() => onAnswer(false)}
        >
          {isTrustable ? t.without : t.gotIt}
        </button>
      </div>
    </section>
  );
}

/** So many lines stand there at once; more are unfolded. */
const shortLines = 4;

function Brought({ file: { path, what, words, isCut, isChanged, refusal } }: { file: BroughtFile }) {
  return (
    <li data-testid="brought">
      <code>{visibleText(path)}</code>{" "}
      {refusal === null ? <span>{what}</span> : <span>{t.leftOut(refusal)}</span>}
      {isChanged && <b className={styles.changed}>{t.changed}</b>}
      {words.length > 0 && (
        <details open={words.length <= shortLines}>
          <summary>{t.projectWords}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
          <pre tabIndex={0}>
            {visibleText(words.join("\n"))}
            {isCut && t.more}
          </pre>
        </details>
      )}
    </li>
  );
}
