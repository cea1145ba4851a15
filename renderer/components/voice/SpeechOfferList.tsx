import {
  type OfferKind,
  offerKinds,
  type SpeechOffer,
  type SpeechOffers,
} from "../../../shared/voice/speech-offer.ts";
import { megabytes } from "../../state/conversation/wording.ts";
import { texts } from "../../texts/texts.ts";
import { CodeWords } from "../ui/CodeWords.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./SpeechOfferList.module.css";

const t = texts.voice.offers;

interface SpeechOfferListProps {
  offers: SpeechOffers;
  /** Voice is on, or was to be. */
  isRecogniserShown: boolean;
}

/** What would hear and speak better, a quiet line each. What more is known stands among the speech models. */
export function SpeechOfferList({ offers, isRecogniserShown }: SpeechOfferListProps) {
  return offerKinds.map((kind) => {
    const offer = offers[kind];
    if (!offer || (kind === "recogniser" && !isRecogniserShown)) return null;
    return <SpeechOfferLine key={kind} kind={kind} offer={offer} />;
  });
}

/** One of them: what there is now, and the click that downloads the better one and uses it. */
export function SpeechOfferLine({ kind, offer }: { kind: OfferKind; offer: SpeechOffer }) {
  const { voicePanel } = useWindowState();
  const { name, bytes, also, isTried, until, state } = offer;
  const size = sizeOf(bytes);
  const isDownloading = state.kind === "downloading";
  const does = also ? t.titleWith(name, also.name, sizeOf(also.bytes)) : t.title(name);
  return (
    <section
      className={styles.offer}
      aria-label={t[kind].label}
      data-testid={`offer-${kind}`}
      data-state={state.kind}
    >
      {state.kind === "offered" && <p className={styles.words}>{t[kind][until]}</p>}
      {state.kind === "failed" && (
        <p className={`${styles.words} ${styles.bad}`}>
          <CodeWords text={t.failed(state.message)} />
        </p>
      )}
      {isDownloading && (
        <p className={`${styles.words} ${styles.progress}`}>
          {t.downloading(name)}
          <progress
            max={bytes ?? undefined}
            value={bytes === null ? undefined : state.doneBytes}
            aria-label={name}
          />
          {t.progress(megabytes(state.doneBytes), size)}
        </p>
      )}
      {isDownloading ? (
        <button type="button" className="btn small" onClick={() => voicePanel.offer(kind, "pause")}>
          {t.pause}
        </button>
      ) : (
        <button
          type="button"
          className="btn small"
          title={isTried ? does : `${does} ${t.untested}`}
          onClick={() => voicePanel.offer(kind, "accept")}
        >
          {t.get[until](size)}
        </button>
      )}
      <button
        type="button"
        className="btn small ghost"
        title={t.notNowTitle}
        onClick={() => voicePanel.offer(kind, "decline")}
      >
        {t.notNow}
      </button>
    </section>
  );
}

/** How good it is, as far as anybody knows, and what comes with it. */
export function offerDetails({ name, errors, also }: SpeechOffer): string {
  const better = errors ? t.better[errors.by](name, oneIn(errors.rate)) : "";
  return `${better} ${also ? t.also(also.name, sizeOf(also.bytes)) : ""}`.trim();
}

const sizeOf = (bytes: number | null) => (bytes === null ? t.sizeUnknown : megabytes(bytes));

/** A rate as people say it: 0.104 is one in “ten”. */
function oneIn(rate: number): string {
  const count = Math.round(1 / rate);
  return t.counts[count - 2] ?? String(count);
}
