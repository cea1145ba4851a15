import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { BroughtFile, TrustRequest } from "../../../shared/safety/trust.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { useStore } from "../../state/store.ts";
import type { Trust } from "../../state/trust.ts";

interface TrustPlaceProps {
  trust: Trust;
  /** Counts up whenever the user asks for the keyboard to go to what waits. */
  focusRequest?: number;
  /** Nothing goes before it. */
  isFirst?: boolean;
}

/** The card about what the folder brings, where something waits. Its run does not: it goes on without. */
export function TrustPlace({ trust, focusRequest = 0, isFirst = true }: TrustPlaceProps) {
  const request = useStore(trust.request);
  // What was written elsewhere in the meantime is there when the user comes back.
  useEffect(() => {
    const look = () => void trust.load();
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, [trust]);
  if (!request) return null;
  const onAnswer = (isTrusted: boolean) => void trust.answer(request.id, isTrusted);
  return <TrustCard key={request.id} {...{ request, onAnswer, focusRequest, isFirst }} />;
}

interface TrustCardProps {
  request: TrustRequest;
  onAnswer: (isTrusted: boolean) => void;
  focusRequest: number;
  isFirst: boolean;
}

/** A press that was meant for what stood here before is no answer, in milliseconds. */
const freshMs = 400;

/** With the card focused: Y trusts, N works without. */
function TrustCard({ request, onAnswer, focusRequest, isFirst }: TrustCardProps) {
  const card = useRef<HTMLElement>(null);
  const asked = useRef(focusRequest);
  useEffect(() => {
    if (focusRequest === asked.current) return;
    asked.current = focusRequest;
    if (isFirst) card.current?.focus();
  }, [focusRequest, isFirst]);

  const [isFresh, setIsFresh] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setIsFresh(false), freshMs);
    return () => clearTimeout(timer);
  }, []);

  const { folder, files } = request;
  const canTrust = files.some(({ refusal }) => refusal === null);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Keys that were meant for a button or a text in it are theirs; one that is held down was meant for what was there before.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat) return;
    const letter = event.key.toLowerCase();
    if (letter === "y" && canTrust) onAnswer(true);
    else if (letter === "n") onAnswer(false);
    else return;
    event.preventDefault();
  };
  return (
    <section
      ref={card}
      className="card trust"
      data-testid="trust"
      aria-label="What this folder brings needs your word"
      aria-keyshortcuts="Y N"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className="head">
        <b>{canTrust ? "Trust what this folder brings?" : "This folder brings something unusual"}</b>
        <code>{visibleText(folder)}</code>
      </div>
      <ul>
        {files.map((file) => (
          <Brought key={file.path} file={file} />
        ))}
      </ul>
      <p className="hint">
        {canTrust
          ? "None of it counts before you trust it, and nothing waits for you: prompts run without it. What is new or changed later is asked for again."
          : "It is left out. Prompts run without it."}
      </p>
      <div className="row">
        {canTrust && (
          <button
            type="button"
            className="btn primary"
            disabled={isFresh}
            title="It counts from now on, as it is now"
            onClick={() => onAnswer(true)}
          >
            Trust
          </button>
        )}
        <button
          type="button"
          className="btn"
          disabled={isFresh}
          title="None of it counts; /trust brings it back"
          onClick={() => onAnswer(false)}
        >
          {canTrust ? "Work without" : "Got it"}
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
      {refusal === null ? <span>{what}</span> : <span>left out: it {refusal}</span>}
      {isChanged && <b className="changed"> changed since you trusted it</b>}
      {words.length > 0 && (
        <details open={words.length <= shortLines}>
          <summary>The project's own words, not Parley's</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
          <pre tabIndex={0}>
            {visibleText(words.join("\n"))}
            {isCut && "\n…"}
          </pre>
        </details>
      )}
    </li>
  );
}
