import type { SttModel } from "../../../../shared/voice/stt.ts";
import { megabytes } from "../../../state/conversation/wording.ts";
import { useStore } from "../../../state/store.ts";
import { isVoice, voiceOf } from "../../../state/voice/speech-models.ts";
import { useWindowState } from "../../window/window-context.ts";
import { Fold, TextField } from "./fields.tsx";

interface ModelListProps {
  /** As the settings name them: the model that hears, and the voice that speaks. */
  chosen: string;
  voice: string;
  language: string;
}

/** The speech models: the one that comes along, those that can be downloaded, and a folder of one's own. */
export function ModelList({ chosen, voice, language }: ModelListProps) {
  const { desk } = useWindowState();
  const models = useStore(desk.models);
  const isOwnFolder = chosen !== "" && models !== null && !models.some(({ id }) => id === chosen);
  return (
    <Fold title="Speech models" onOpen={() => void desk.loadModels()}>
      <TextField
        label="Language"
        hint="A code such as en or de; the model must know it"
        value={language}
        onChange={(code) => void desk.set("voice.language", code)}
      />
      <ul className="models" data-testid="models">
        <li>
          <div className="name">
            <b>Built in</b>
            <span>US English · small · Apache-2.0</span>
          </div>
          <Use isUsed={chosen === ""} onUse={() => void desk.set("voice.model", "")} />
        </li>
        {isOwnFolder && (
          <li>
            <div className="name">
              <b>Your own folder</b>
              <span title={chosen}>{chosen}</span>
            </div>
            <Use isUsed onUse={() => {}} />
          </li>
        )}
        {models?.map((model) => (
          <Model key={model.id} model={model} isUsed={model.id === chosen || voice === voiceOf(model)} />
        ))}
      </ul>
      {models === null && <p className="quiet">Asking for the list…</p>}
      <button type="button" className="btn small" onClick={() => void desk.pickModel()}>
        Use my own folder…
      </button>
    </Fold>
  );
}

function Model({ model, isUsed }: { model: SttModel; isUsed: boolean }) {
  const { desk } = useWindowState();
  const { id, name, languages, bytes, licence, state, done_bytes: done = 0, message } = model;
  const size = bytes === null ? "size not known" : megabytes(bytes);
  const spoken = languages.length > 4 ? `${languages.length} languages` : languages.join(", ");
  const button = (label: string, act: () => void) => (
    <button type="button" className="btn small" aria-label={`${label} ${name}`} onClick={act}>
      {label}
    </button>
  );
  const use = () =>
    void (isVoice(model) ? desk.set("voice.voice", voiceOf(model)) : desk.set("voice.model", id));
  const remove = () => void desk.changeModel("delete", id);
  const download = () => void desk.changeModel("download", id);
  return (
    <li data-testid="model-row" data-state={state}>
      <div className="name">
        <b>{name}</b>
        <span title={languages.join(", ")}>
          {purposeOf(model)}
          {spoken} · {size} · {licence}
        </span>
      </div>
      {state === "available" && button("Download", download)}
      {state === "downloading" && button("Pause", () => void desk.changeModel("pause", id))}
      {(state === "paused" || state === "failed") && button(done > 0 ? "Resume" : "Try again", download)}
      {(state === "paused" || (state === "failed" && done > 0)) && button("Discard", remove)}
      {state === "installed" && (
        <>
          {model.kind === "punctuation" ? (
            <span className="used">in use</span>
          ) : (
            <Use isUsed={isUsed} onUse={use} />
          )}
          {!isUsed && button("Delete", remove)}
        </>
      )}
      {(state === "downloading" || state === "paused") && (
        <div className="progress">
          <progress max={bytes ?? undefined} value={bytes === null ? undefined : done} aria-label={name} />
          {howFar(done, bytes)}
        </div>
      )}
      {state === "failed" && <p className="bad">✕ {message}</p>}
    </li>
  );
}

function howFar(done: number, bytes: number | null): string {
  if (done === 0) return "Connecting…";
  return bytes === null ? megabytes(done) : `${megabytes(done)} of ${megabytes(bytes)}`;
}

/** What it is for, where it does not recognise speech. */
function purposeOf(model: SttModel): string {
  if (isVoice(model)) return "Speaks · ";
  return model.kind === "punctuation" ? "Punctuation · " : "";
}

function Use({ isUsed, onUse }: { isUsed: boolean; onUse: () => void }) {
  return isUsed ? (
    <span className="used">in use</span>
  ) : (
    <button type="button" className="btn small" onClick={onUse}>
      Use
    </button>
  );
}
