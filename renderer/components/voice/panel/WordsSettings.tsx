import { useRef } from "react";
import { maxHeardAs, maxOwnWords, type OwnWord } from "../../../../shared/voice/voice-settings.ts";
import { texts } from "../../../texts/texts.ts";
import { Icon } from "../../ui/Icon.tsx";
import { Fold, SwitchField, useKeptText } from "./fields.tsx";
import type { VoiceSettingsProps } from "./settings-props.ts";
import styles from "./VoicePanel.module.css";

const t = texts.voicePanel.words;
const maxChars = 60;

/** The user's words, and what each was misheard as: seen, changed, added and removed. They count at once. */
export function WordsSettings({ settings, set }: VoiceSettingsProps) {
  const words = settings["voice.words"];
  const save = (next: OwnWord[]) => void set("voice.words", next);
  const replace = (old: OwnWord, next: OwnWord) => save(words.map((own) => (own === old ? next : own)));
  const rows = useRowKeys();
  const isKnown = (word: string, except?: OwnWord) =>
    words.some((own) => own !== except && own.word.toLowerCase() === word.toLowerCase());
  const rename = (own: OwnWord, word: string) => {
    if (word === "" || isKnown(word, own)) return;
    rows.rename(own.word, word);
    replace(own, { ...own, word });
  };
  return (
    <Fold title={t.title}>
      <p className="hint">{t.hint}</p>
      {words.length > 0 && (
        <ul className={styles.ownWords} aria-label={t.title} data-testid="own-words">
          {words.map((own) => (
            <li key={rows.keyOf(own.word)}>
              <Words label={t.wordLabel(own.word)} value={own.word} onChange={(word) => rename(own, word)} />
              <Words
                label={t.heardAsLabel(own.word)}
                placeholder={t.heardAs}
                value={own.heardAs.join(", ")}
                maxChars={maxChars * maxHeardAs}
                onChange={(forms) => replace(own, { ...own, heardAs: formsIn(forms) })}
              />
              <button
                type="button"
                className="btn icon ghost"
                aria-label={t.removeThis(own.word)}
                title={t.removeThis(own.word)}
                onClick={() => save(words.filter((one) => one !== own))}
              >
                <Icon name="close" size={13} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {words.length < maxOwnWords && (
        <AddWord
          onAdd={(word) => {
            if (!isKnown(word)) save([...words, { word, heardAs: [] }]);
          }}
        />
      )}
      <SwitchField
        label={t.learn}
        value={settings["voice.learnWords"]}
        onChange={(value) => void set("voice.learnWords", value)}
        hint={t.learnHint}
      />
    </Fold>
  );
}

/** What stands between commas, none twice. */
const formsIn = (text: string) =>
  [
    ...new Set(
      text
        .split(",")
        .map((form) => form.trim().slice(0, maxChars))
        .filter((form) => form !== ""),
    ),
  ].slice(0, maxHeardAs);

interface WordsProps {
  label: string;
  placeholder?: string;
  value: string;
  maxChars?: number;
  onChange: (value: string) => void;
}

/** Enter, or leaving it, keeps the change. */
function Words({ label, placeholder, value, maxChars: most = maxChars, onChange }: WordsProps) {
  const kept = useKeptText(value, onChange);
  return <input type="text" aria-label={label} placeholder={placeholder} maxLength={most} {...kept} />;
}

/** A word that is changed keeps its row, and so the keyboard stays in it. */
function useRowKeys() {
  const keys = useRef(new Map<string, string>());
  const count = useRef(0);
  const keyOf = (word: string): string => {
    const known = keys.current.get(word);
    if (known !== undefined) return known;
    const made = `row ${count.current++}`;
    keys.current.set(word, made);
    return made;
  };
  const rename = (word: string, next: string): void => {
    keys.current.set(next, keyOf(word));
    if (next !== word) keys.current.delete(word);
  };
  return { keyOf, rename };
}

function AddWord({ onAdd }: { onAdd: (word: string) => void }) {
  const place = useRef<HTMLInputElement>(null);
  return (
    <form
      className={styles.addWord}
      onSubmit={(event) => {
        event.preventDefault();
        const word = place.current?.value.trim() ?? "";
        if (word === "" || !place.current) return;
        place.current.value = "";
        onAdd(word);
      }}
    >
      <input ref={place} type="text" aria-label={t.add} placeholder={t.addHint} maxLength={maxChars} />
      <button type="submit" className="btn small">
        {t.addButton}
      </button>
    </form>
  );
}
