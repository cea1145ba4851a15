import { useRef, useState } from "react";
import { type SettingKey, shrinkOnly } from "../../../shared/settings.ts";
import { checkValue } from "../../state/settings/setting-control.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./ChipList.module.css";

const t = texts.settingsPage;

/** What is added; words, where nothing else is said. */
const things: Readonly<Partial<Record<SettingKey, keyof typeof t.lists>>> = {
  "fence.readable": "folder",
  checkpointIgnore: "name",
};

interface ChipListProps {
  name: SettingKey;
  value: unknown;
  named: Readonly<Record<string, string>>;
  /** What is wrong with what is added, for those who do not see it. */
  invalid: Readonly<Record<`aria-${string}`, string | boolean>>;
}

/** Folders, names or words, one a chip. What came about by a question to the user is only taken away here. */
export function ChipList({ name, value, named, invalid }: ChipListProps) {
  const { settingsPage } = useWindowState();
  const draft = useStore(settingsPage.drafts)[name];
  const [isAdding, setAdding] = useState(false);
  const add = useRef<HTMLButtonElement>(null);
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const canGrow = !shrinkOnly.has(name);
  const thing = t.lists[things[name] ?? "word"];
  /** @returns whether the field is done with */
  const keep = async (): Promise<boolean> => {
    const text = settingsPage.drafts.get()[name]?.text.trim() ?? "";
    if (text === "" || list.includes(text)) {
      settingsPage.draft(name, null);
      return true;
    }
    const checked = checkValue(name, [...list, text]);
    const why = checked.ok ? await settingsPage.change(name, checked.value) : checked.why;
    if (why !== null) settingsPage.draft(name, { text, why });
    return why === null;
  };
  if (list.length === 0 && !canGrow) return <span className={styles.none}>{t.nothing}</span>;
  return (
    <fieldset className={styles.chips} data-testid="setting-control" data-kind="list" {...named}>
      {list.length > 0 && (
        <ul className={styles.list}>
          {list.map(String).map((one, place) => (
            <li key={one}>
              <span dir="auto">{one}</span>
              <button
                type="button"
                aria-label={t.removeOne(one)}
                title={t.removeOne(one)}
                onClick={() =>
                  void settingsPage.change(
                    name,
                    list.filter((_, other) => other !== place),
                  )
                }
              >
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {canGrow && (isAdding || draft !== undefined) && (
        <input
          className={styles.add}
          {...invalid}
          aria-label={thing.hint}
          placeholder={thing.hint}
          // biome-ignore lint/a11y/noAutofocus: the user has just asked for this field
          autoFocus={isAdding}
          value={draft?.text ?? ""}
          spellCheck={false}
          onChange={(event) => settingsPage.draft(name, { text: event.target.value, why: null })}
          onBlur={() => void keep().then((isDone) => isDone && setAdding(false))}
          onKeyDown={(event) => {
            if (event.key === "Enter") void keep();
            if (event.key !== "Escape") return;
            // Not the settings: only this is given up.
            event.preventDefault();
            settingsPage.draft(name, null);
            add.current?.focus();
          }}
        />
      )}
      {canGrow && (
        <button ref={add} type="button" className="btn small ghost" onClick={() => setAdding(true)}>
          <Icon name="plus" size={14} />
          {thing.add}
        </button>
      )}
    </fieldset>
  );
}
