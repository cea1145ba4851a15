import { type KeyboardEvent, useEffect, useRef } from "react";
import { silenceOf, type VoiceOn } from "../../../shared/voice/voice-snapshot.ts";
import { pastedFiles } from "../../state/composer/pasted.ts";
import type { QuickState } from "../../state/quick-state.ts";
import { useSignal } from "../../state/signal.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useFiles } from "../composer/attach/use-files.ts";
import composer from "../composer/Composer.module.css";
import { PromptField } from "../composer/PromptField.tsx";
import { useDictation } from "../composer/use-dictation.ts";
import { usePromptField } from "../composer/use-prompt-field.ts";
import { useTypeAnywhere } from "../composer/use-type-anywhere.ts";
import { SpokenText } from "../transcript/messages/SpokenText.tsx";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Logo } from "../ui/Logo.tsx";
import { LevelBars } from "../voice/LevelBars.tsx";
import { QuickOffers } from "./QuickOffers.tsx";
import styles from "./QuickPrompt.module.css";
import { useTalkButton } from "./use-talk-button.ts";

const t = texts.quick;

/** The text box of the quick window, what can be put beside the text, and the microphone. */
export function QuickBox({ state }: { state: QuickState }) {
  const info = useStore(state.info);
  const asked = useStore(state.asked);
  const opening = useStore(state.opening);
  const listening = useStore(state.listening);
  const earlier = useStore(state.earlier);
  const field = usePromptField({
    draft: state.draft,
    commands: info?.commands ?? [],
    onFindAttachments: state.findAttachments,
    asked: earlier,
  });
  const { box, text } = field;
  const files = useFiles(field, state.attaching, !text.startsWith("/"));
  const picker = useRef<HTMLInputElement>(null);
  const talk = useTalkButton(listening !== null, state.listen);
  useEffect(() => box.current?.focus(), [box]);
  useSignal(state.opened, () => box.current?.focus());
  const partial = listening?.isDictating ? (listening.partial?.text ?? null) : null;
  const { dictated } = state;
  const shown = useDictation({ box, text, caret: field.caret.at, partial, dictated, onText: field.change });
  useSignal(state.sendWanted, () => void field.submit(state.submit));
  // What stands there already stays.
  useSignal(state.filledIn, (words) => field.change(text.trim() === "" ? words : `${text}\n${words}`));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (listening && text.trim() === "") void state.listen("stop");
    else void field.submit(state.submit);
  };
  useTypeAnywhere(box, (event) => {
    const pasted = event.clipboardData ? pastedFiles(event.clipboardData) : [];
    if (pasted.length === 0) return;
    event.preventDefault();
    void files.add(pasted);
  });
  const isBlank = text === "" && field.beside.length === 0;
  useEffect(() => state.isBlank.set(isBlank), [state, isBlank]);
  // What is being said stands in the box's place; what was typed is not hidden by it.
  const spoken = listening && text === "" ? listening : null;

  return (
    <>
      <div className={styles.ask}>
        {listening ? (
          <LevelBars level={state.level} />
        ) : (
          <span className={styles.mark}>
            <Logo size={22} />
          </span>
        )}
        <div className={styles.field} data-covered={spoken ? "" : undefined}>
          {spoken && (
            <div className={styles.words}>
              {spoken.partial ? (
                <SpokenText partial={spoken.partial} testId="partial" />
              ) : (
                <p className={styles.quiet}>
                  <CodeWords
                    text={
                      silenceOf(spoken)?.message ?? spoken.hint ?? spoken.detail?.message ?? quietLine(spoken)
                    }
                  />
                </p>
              )}
            </div>
          )}
          <PromptField
            field={field}
            label={t.label}
            placeholder={asked ? t.followUp : t.placeholder}
            dictated={partial === null || text === "" ? undefined : shown}
            reading={files.reading}
            onKeyDown={onKeyDown}
            onPaste={files.paste}
          />
        </div>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            void files.add([...(target.files ?? [])]);
            // The same file can be picked again.
            target.value = "";
          }}
        />
        {listening ? (
          <button
            type="button"
            className={composer.ib}
            aria-pressed={listening.isMuted}
            aria-label={listening.isMuted ? texts.voice.unmute : texts.voice.mute}
            title={texts.voice.muteTitle}
            onClick={() => state.mute(!listening.isMuted)}
          >
            <Icon name="micOff" />
          </button>
        ) : (
          <button
            type="button"
            className={composer.ib}
            aria-label={t.attach}
            title={t.attach}
            onClick={() => picker.current?.click()}
          >
            <Icon name="plus" />
          </button>
        )}
        <button
          type="button"
          className={listening ? `${composer.ib} ${styles.live}` : composer.ib}
          data-testid="quick-mic"
          aria-pressed={listening !== null}
          aria-label={listening ? t.stopTalking : t.talk}
          title={listening ? t.stopTalking : t.talk}
          {...talk}
        >
          <Icon name="mic" />
        </button>
        {text.trim() !== "" && (
          <button
            type="button"
            className={`${composer.ib} ${composer.go}`}
            data-testid="send"
            aria-label={t.ask}
            title={t.ask}
            onClick={() => void field.submit(state.submit)}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
      {opening && isBlank && !asked && !listening && (
        <QuickOffers
          opening={opening}
          box={box}
          onSelection={(words) => void state.attachSelection(words).then(files.take)}
          onPicture={() => void state.takePicture().then(files.take)}
          onGoOn={() => void state.goOn()}
        />
      )}
    </>
  );
}

/** Nobody is asked to speak before they are heard. */
const quietLine = ({ state }: VoiceOn): string =>
  state === "starting" ? texts.voice.openingMicrophone : t.speakNow;
