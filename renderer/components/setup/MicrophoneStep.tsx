import { useEffect, useState } from "react";
import { isOn } from "../../../shared/voice/voice-snapshot.ts";
import { readSoFar } from "../../state/read-aloud.ts";
import { type Readable, useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon } from "../ui/Icon.tsx";
import { loudnessOf } from "../voice/LevelBars.tsx";
import { SpeechOfferLine } from "../voice/SpeechOfferList.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./SetUp.module.css";

const t = texts.setUp.microphone;

interface MicrophoneStepProps {
  conversationId: string;
  isDone: boolean;
  /** It is what comes next. */
  isNow: boolean;
  /** It understood something. */
  onHeard: () => void;
}

/** The microphone, how loud it is, and what it understood of a sentence. What is said goes nowhere. */
export function MicrophoneStep({ conversationId, isDone, isNow, onHeard }: MicrophoneStepProps) {
  const { setUp, voicePanel } = useWindowState();
  const voice = useStore(voicePanel.snapshot);
  const devices = useStore(voicePanel.devices);
  const final = useStore(setUp.heard);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => void voicePanel.loadDevices(), [voicePanel]);
  const now = voice?.now;
  const isListening = now !== undefined && isOn(now) && now.isDictating && now.isTrial;
  const failure = now?.state === "failed" ? `${now.detail.message} ${now.detail.hint ?? ""}`.trim() : null;
  const heard = `${final} ${isListening ? (now.partial?.text ?? "") : ""}`.trim();
  const read = readSoFar(t.sentence, heard);
  const hasHeard = final !== "";
  useEffect(() => {
    if (hasHeard) onHeard();
  }, [hasHeard, onHeard]);
  const listen = async () => {
    const error = await setUp.listen(conversationId);
    setProblem(error ? `${error.message} ${error.hint ?? ""}`.trim() : null);
  };
  const state = isDone ? "done" : isNow ? "now" : "later";
  return (
    <section className={styles.step} data-state={state} aria-labelledby="set-up-microphone">
      <span className={styles.no}>{isDone ? <Icon name="check" size={14} /> : "2"}</span>
      <h2 id="set-up-microphone">
        {t.title} {voice?.server == null && <span>{t.about}</span>}
      </h2>
      <div className={styles.in}>
        <div className={styles.line}>
          <select
            aria-label={t.device}
            value={voice?.settings["voice.microphone"] ?? ""}
            onChange={(event) => void voicePanel.chooseMicrophone(event.target.value)}
          >
            <option value="">{t.systemDefault}</option>
            {devices?.capture?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <Loudness level={voicePanel.level} isListening={isListening} />
          {isListening ? (
            <button type="button" className="btn" onClick={() => void setUp.stopListening()}>
              {t.stop}
            </button>
          ) : (
            <button type="button" className="btn" data-testid="set-up-listen" onClick={() => void listen()}>
              <Icon name="mic" size={15} />
              {t.listen}
            </button>
          )}
        </div>
        {(problem ?? failure) !== null && !isListening && (
          <p className={styles.bad} role="alert" data-testid="microphone-problem">
            <CodeWords text={problem ?? failure ?? ""} />
          </p>
        )}
        <div className={styles.reading}>
          <p className={styles.fine}>
            <span>{t.readAloud}</span>
            {read.reached > 0 && (
              <span data-testid="set-up-read">
                {read.understood === read.reached
                  ? t.allUnderstood(read.reached, read.words.length)
                  : t.someUnderstood(read.understood, read.reached)}
              </span>
            )}
          </p>
          <p className={styles.read}>
            <b>{read.words.slice(0, read.reached).join(" ")}</b> {read.words.slice(read.reached).join(" ")}
          </p>
          {heard !== "" && (
            <p className={styles.fine} data-testid="set-up-heard">
              {t.heard(heard)}
            </p>
          )}
        </div>
        {voice?.offers.recogniser && <SpeechOfferLine kind="recogniser" offer={voice.offers.recogniser} />}
      </div>
    </section>
  );
}

const strokes = Array.from({ length: 28 }, (_, index) => index);
/** Of the whole scale: what is below is hard to understand. */
const goodFrom = 0.4;

/** How loud it is now, and whether the loudest was loud enough. Without sound it shows none. */
function Loudness({ level, isListening }: { level: Readable<number>; isListening: boolean }) {
  const rms = useStore(level);
  const loudness = isListening ? loudnessOf(rms) : 0;
  const [loudest, setLoudest] = useState(0);
  useEffect(
    () => setLoudest((before) => (isListening ? Math.max(before, loudness) : 0)),
    [loudness, isListening],
  );
  const isGood = loudest >= goodFrom;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a <meter> cannot hold bars */}
      <span
        className={styles.vu}
        role="meter"
        aria-label={t.level}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(loudness * 100)}
        data-testid="set-up-level"
        data-loudest={loudest.toFixed(2)}
      >
        {strokes.map((stroke) => (
          <i key={stroke} className={stroke < loudness * strokes.length ? styles.on : undefined} />
        ))}
      </span>
      {isListening && loudest > 0 && (
        <span className={isGood ? styles.good : styles.fine}>
          {isGood && <Icon name="check" size={14} />}
          {isGood ? t.good : t.quiet}
        </span>
      )}
    </>
  );
}
