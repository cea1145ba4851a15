import { useRef, useState } from "react";
import type { UserError } from "../../../shared/conversation/events.ts";
import { makerNames, makerOf } from "../../../shared/safety/key-test.ts";
import type { KeyRequest } from "../../../shared/safety/secrets.ts";
import type { AskedKey } from "../../state/window-state.ts";
import { texts } from "../../texts/texts.ts";
import { ErrorCard } from "../transcript/messages/ErrorCard.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import styles from "./KeyDialog.module.css";
import { useWindowState } from "./window-context.ts";

const t = texts.window.key;

/**
 * Takes a key: it goes to main and nowhere else, and the field forgets it. One that does not work is kept only where the
 * user says so.
 */
export function KeyDialog({ request }: { request: AskedKey }) {
  const { variable, canBeWeak, place } = request;
  const maker = makerOf(variable);
  const windowState = useWindowState();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [isEmpty, setEmpty] = useState(true);
  const [isWeak, setWeak] = useState(place === "weak");
  const [failure, setFailure] = useState<UserError | null>(null);
  const [isWorking, setWorking] = useState(false);

  const [isDoubtful, setDoubtful] = useState(false);

  /** @param isAnyway without a test */
  const save = async (isAnyway: boolean) => {
    const input = field.current;
    // Read where it is needed: the state of a page is what its tools show first.
    const key = input?.value.trim() ?? "";
    if (!input || key === "" || isWorking) return;
    setWorking(true);
    const problem = maker === null || isAnyway ? null : await windowState.testKey(maker, key);
    // Another one was typed meanwhile.
    if (input.value.trim() !== key) {
      setWorking(false);
      return;
    }
    if (problem) {
      setFailure(problem);
      setDoubtful(true);
      setWorking(false);
      return;
    }
    const answer = await windowState.setKey(variable, key, isWeak);
    input.value = "";
    setEmpty(true);
    setWorking(false);
    setDoubtful(false);
    if (answer.ok) dialog.current?.close();
    else setFailure(answer.error);
  };
  const changed = (text: string) => {
    setEmpty(text.trim() === "");
    setDoubtful(false);
    setFailure(null);
  };

  return (
    <Dialog
      dialog={dialog}
      className={styles.key}
      testId="key-dialog"
      titleId="key-title"
      onClose={() => windowState.closeKeyForm(request)}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save(false);
        }}
      >
        <h2 id="key-title">{maker === null ? t.title : t.titleFor(makerNames[maker])}</h2>
        <label className={styles.field}>
          <code>{variable}</code>
          <input
            ref={field}
            type="password"
            data-testid="key-field"
            autoComplete="off"
            spellCheck={false}
            placeholder={t.paste}
            onChange={(event) => changed(event.target.value)}
          />
        </label>
        {canBeWeak ? (
          <WeakChoice isWeak={isWeak} onChange={setWeak} />
        ) : (
          <p className={styles.where} data-testid="key-place">
            {placeText(request)}
          </p>
        )}
        {failure && (
          <div role="alert">
            <ErrorCard error={failure} />
          </div>
        )}
        <div className={styles.buttons}>
          <button type="button" className="btn" onClick={() => dialog.current?.close()}>
            {texts.common.cancel}
          </button>
          {isDoubtful && (
            <button
              type="button"
              className="btn"
              data-testid="key-anyway"
              disabled={isWorking}
              onClick={() => void save(true)}
            >
              {t.saveAnyway}
            </button>
          )}
          <button
            type="submit"
            className="btn primary"
            data-testid="key-save"
            disabled={isEmpty || isWorking}
          >
            {isWorking ? t.testing : isDoubtful ? t.testAgain : t.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface WeakChoiceProps {
  isWeak: boolean;
  onChange: (isWeak: boolean) => void;
}

function WeakChoice({ isWeak, onChange }: WeakChoiceProps) {
  return (
    <fieldset data-testid="key-place">
      <legend>{t.noKeychain}</legend>
      <label>
        <input type="radio" name="key-place" checked={!isWeak} onChange={() => onChange(false)} />
        <span>{t.untilQuit}</span>
      </label>
      <label>
        <input
          type="radio"
          name="key-place"
          data-testid="key-weak"
          checked={isWeak}
          onChange={() => onChange(true)}
        />
        <span>
          {t.inFile}
          <strong>{t.weakly}</strong>
          {t.readable}
        </span>
      </label>
    </fieldset>
  );
}

function placeText({ place, backend }: KeyRequest): string {
  return place === "system" ? t.inKeychain(backend) : t.inMemory;
}
