import { useState } from "react";
import type { ModelList, ModelRow } from "../../../shared/ipc/model-routes.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./Settings.module.css";

const t = texts.settingsPage.model;

/** Stands for no model: a field for any name opens. */
const other = "";

interface ModelSelectProps {
  list: ModelList;
  onChoose: (model: string) => void;
  named: Readonly<Record<string, string>>;
}

/** The models that the provider of new conversations lists, and any other by its name. */
export function ModelSelect({ list, onChoose, named }: ModelSelectProps) {
  const [isTyping, setTyping] = useState(false);
  const { models, recent, current } = list;
  // An alias stands for one of the list.
  const isNamed = models.some(({ id }) => id === current.id);
  const listed = isNamed ? models : [current, ...models.filter(({ name }) => name !== current.name)];
  if (isTyping) {
    return (
      <input
        className={styles.typed}
        data-testid="setting-control"
        {...named}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the list that was just used
        autoFocus
        defaultValue={current.id}
        spellCheck={false}
        onBlur={(event) => {
          const text = event.target.value.trim();
          if (text !== "" && text !== current.id) onChoose(text);
          setTyping(false);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
        }}
      />
    );
  }
  const option = ({ id, name }: ModelRow) => (
    <option key={id} value={id} title={id}>
      {name}
    </option>
  );
  return (
    <select
      className={styles.select}
      data-testid="setting-control"
      {...named}
      value={current.id}
      onChange={(event) => (event.target.value === other ? setTyping(true) : onChoose(event.target.value))}
    >
      {listed.map(option)}
      {recent.length > 0 && <optgroup label={t.recent}>{recent.map(option)}</optgroup>}
      <option value={other}>{t.other}</option>
    </select>
  );
}
