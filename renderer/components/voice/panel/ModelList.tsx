import { useEffect } from "react";
import { offerKinds } from "../../../../shared/voice/speech-offer.ts";
import type { SttModel } from "../../../../shared/voice/stt.ts";
import { megabytes } from "../../../state/conversation/wording.ts";
import { useStore } from "../../../state/store.ts";
import { isVoice, voiceOf } from "../../../state/voice/speech-models.ts";
import { texts } from "../../../texts/texts.ts";
import { AskFirst } from "../../ui/AskFirst.tsx";
import { CodeWords } from "../../ui/CodeWords.tsx";
import { useWindowState } from "../../window/window-context.ts";
import { offerDetails } from "../SpeechOfferList.tsx";
import { Fold, TextField } from "./fields.tsx";
import styles from "./VoicePanel.module.css";

const t = texts.voicePanel.models;

interface ModelListProps {
  /** As the settings name them: the model that hears, and the voice that speaks. */
  chosen: string;
  voice: string;
  language: string;
}

/** The speech models: the one that comes along, those that can be downloaded, and a folder of one's own. */
export function ModelList({ chosen, voice, language }: ModelListProps) {
  const { voicePanel } = useWindowState();
  const models = useStore(voicePanel.models);
  const offers = useStore(voicePanel.snapshot)?.offers;
  useEffect(() => voicePanel.watchModels(), [voicePanel]);
  const isOwnFolder = chosen !== "" && models !== null && !models.some(({ id }) => id === chosen);
  return (
    <Fold title={t.title} onOpen={() => void voicePanel.loadModels()}>
      <TextField
        label={t.language}
        hint={t.languageHint}
        value={language}
        onChange={(code) => void voicePanel.set("voice.language", code)}
      />
      {offerKinds.map((kind) => {
        const offer = offers?.[kind];
        const details = offer ? offerDetails(offer) : "";
        return (
          details !== "" && (
            <p key={kind} className="hint" data-testid={`offer-details-${kind}`}>
              {details}
            </p>
          )
        );
      })}
      <ul className={styles.models} data-testid="models">
        <li>
          <div className={styles.name}>
            <b>{t.builtIn}</b>
            <span>{t.builtInAbout}</span>
          </div>
          <Use isUsed={chosen === ""} onUse={() => void voicePanel.set("voice.model", "")} />
        </li>
        {isOwnFolder && (
          <li>
            <div className={styles.name}>
              <b>{t.ownFolder}</b>
              <span title={chosen}>{chosen}</span>
            </div>
            <Use isUsed onUse={() => {}} />
          </li>
        )}
        {models?.map((model) => (
          <Model key={model.id} model={model} isUsed={model.id === chosen || voice === voiceOf(model)} />
        ))}
      </ul>
      {models === null && <p className={styles.quiet}>{t.loading}</p>}
      <button type="button" className="btn small" onClick={() => void voicePanel.pickModel()}>
        {t.pickFolder}
      </button>
    </Fold>
  );
}

function Model({ model, isUsed }: { model: SttModel; isUsed: boolean }) {
  const { voicePanel } = useWindowState();
  const { id, name, languages, bytes, licence, state, done_bytes: done = 0, message, recommended } = model;
  const size = bytes === null ? t.sizeUnknown : megabytes(bytes);
  const spoken = languages.length > 4 ? t.languages(languages.length) : languages.join(", ");
  const button = (label: string, act: () => void) => (
    <button type="button" className="btn small" aria-label={t.actOn(label, name)} onClick={act}>
      {label}
    </button>
  );
  const use = () =>
    void (isVoice(model) ? voicePanel.set("voice.voice", voiceOf(model)) : voicePanel.set("voice.model", id));
  const remove = () => void voicePanel.changeModel("delete", id);
  const download = () => void voicePanel.changeModel("download", id);
  return (
    <li data-testid="model-row" data-state={state}>
      <div className={styles.name}>
        <b>{name}</b>
        <span title={languages.join(", ")}>
          {purposeOf(model)}
          {t.about(spoken, size, licence)}
        </span>
        {recommended && <span className={styles.recommended}>{t.recommended[recommended]}</span>}
        <Trial tried={model.tried} />
      </div>
      {state === "available" && button(t.download, download)}
      {state === "downloading" && button(t.pause, () => void voicePanel.changeModel("pause", id))}
      {(state === "paused" || state === "failed") &&
        button(done > 0 ? t.resume : texts.common.tryAgain, download)}
      {(state === "paused" || (state === "failed" && done > 0)) && button(t.discard, remove)}
      {state === "installed" && (
        <>
          {model.kind === "punctuation" ? (
            <span className={styles.used}>{t.inUse}</span>
          ) : (
            <Use isUsed={isUsed} onUse={use} />
          )}
          {!isUsed && (
            <AskFirst
              label={texts.common.delete}
              name={t.actOn(texts.common.delete, name)}
              className="btn small"
              onYes={remove}
            />
          )}
        </>
      )}
      {(state === "downloading" || state === "paused") && (
        <div className={styles.progress}>
          <progress max={bytes ?? undefined} value={bytes === null ? undefined : done} aria-label={name} />
          {howFar(done, bytes)}
        </div>
      )}
      {state === "failed" && (
        <p className={styles.bad}>
          <CodeWords text={t.failed(message ?? "")} />
        </p>
      )}
    </li>
  );
}

/** What is known of how well it works; nothing, where the server says nothing of that. */
function Trial({ tried }: Pick<SttModel, "tried">) {
  if (tried === undefined) return null;
  if (tried === null) return <span title={t.untestedTitle}>{t.untested}</span>;
  const { date, word_error_rate: errors, real_time_factor: pace, problem } = tried;
  if (problem !== null) return <span className={styles.bad}>{t.unusable(problem)}</span>;
  const wrong = errors === null ? "" : t.triedErrors(Math.round(errors * 100));
  return <span>{t.triedWith(date, wrong, pace === null ? "" : t.triedPace(String(pace)))}</span>;
}

function howFar(done: number, bytes: number | null): string {
  if (done === 0) return t.connecting;
  return bytes === null ? megabytes(done) : t.progress(megabytes(done), megabytes(bytes));
}

/** What it is for, where it does not recognise speech. */
function purposeOf(model: SttModel): string {
  if (isVoice(model)) return t.speaks;
  return model.kind === "punctuation" ? t.punctuation : "";
}

function Use({ isUsed, onUse }: { isUsed: boolean; onUse: () => void }) {
  return isUsed ? (
    <span className={styles.used}>{t.inUse}</span>
  ) : (
    <button type="button" className="btn small" onClick={onUse}>
      {t.use}
    </button>
  );
}
