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

/** What would hear and speak better, a quiet line each. */
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
  const { name, bytes, also, isTried, errors, until, state } = offer;
  const sizeOf = (count: number | null) => (count === null ? t.sizeUnknown : megabytes(count));
  const size = sizeOf(bytes);
  const isDownloading = state.kind === "downloading";
  return (
    <section
      className={styles.offer}
      aria-label={t[kind].label}
      data-testid={`offer-${kind}`}
      data-state={state.kind}
    >
      <div className={styles.words}>
        {state.kind === "failed" && (
          <p className={styles.bad}>
            <CodeWords text={t.failed(state.message)} />
          </p>
        )}
        {isDownloading ? (
          <p className={styles.progress}>
            {t.downloading(name)}
            <progress
              max={bytes ?? undefined}
              value={bytes === null ? undefined : state.doneBytes}
              aria-label={name}
            />
            {t.progress(megabytes(state.doneBytes), size)}
          </p>
        ) : (
          <>
            <p>
              {t[kind][until]}
              {errors && <span className={styles.gain}>{t.better[errors.by](name, oneIn(errors.rate))}</span>}
            </p>
            {also && <p className={styles.also}>{t.also(also.name, sizeOf(also.bytes))}</p>}
          </>
        )}
      </div>
      {!isDownloading && !isTried && (
        <span className={styles.untested} title={t.untestedTitle}>
          {t.untested}
        </span>
      )}
      {isDownloading ? (
        <button type="button" className="btn small" onClick={() => voicePanel.offer(kind, "pause")}>
          {t.pause}
        </button>
      ) : (
        <button
          type="button"
          className="btn small"
          title={also ? t.titleWith(name, also.name, sizeOf(also.bytes)) : t.title(name)}
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

/** A rate as people say it: 0.104 is one in “ten”. */
function oneIn(rate: number): string {
  const count = Math.round(1 / rate);
  return t.counts[count - 2] ?? String(count);
}
