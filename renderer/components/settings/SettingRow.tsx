import { useId } from "react";
import { defaultSettings, notHere, type SettingKey, shrinkOnly } from "../../../shared/settings.ts";
import {
  checkValue,
  controlOf,
  isDefault,
  optionLabel,
  type SettingControl,
  textOf,
} from "../../state/settings/setting-control.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import { LevelCards } from "./LevelCards.tsx";
import { ModelControl } from "./ModelControl.tsx";
import { RuleList } from "./RuleList.tsx";
import styles from "./Settings.module.css";
import { isShortcutSetting, ShortcutField } from "./ShortcutField.tsx";
import { ShrinkList } from "./ShrinkList.tsx";
import { TypedField } from "./TypedField.tsx";

const t = texts.settingsPage;

/** One setting: its title, what it does, its control by its type, and the way back to the default. */
export function SettingRow({ name }: { name: SettingKey }) {
  const { settingsPage } = useWindowState();
  const known = useStore(settingsPage.values);
  const draft = useStore(settingsPage.drafts)[name];
  const id = useId();
  const value: unknown = known && name !== "mcpServers" ? known.values[name] : undefined;
  const { title, help, atStart } = t.of[name];
  const control = controlOf(name);
  const isChanged = known !== null && !notHere.has(name) && !isDefault(name, value);
  const isWaiting = known?.waiting.includes(name) ?? false;
  const isWide =
    name === "permissionMode" ||
    notHere.has(name) ||
    shrinkOnly.has(name) ||
    control.kind === "lines" ||
    control.kind === "json";
  const reset = (isChanged || draft !== undefined) && (
    <button
      type="button"
      className="btn icon ghost"
      data-testid="setting-reset"
      aria-label={t.reset(title)}
      title={t.reset(title)}
      onClick={() => {
        settingsPage.draft(name, null);
        void settingsPage.change(name, undefined);
      }}
    >
      <Icon name="rewind" size={14} />
    </button>
  );
  return (
    <div
      className={isWide || t.of[name].multiline ? `${styles.row} ${styles.tall}` : styles.row}
      data-testid="setting"
      data-key={name}
      data-changed={isChanged}
    >
      <div className={styles.lab}>
        <b id={`${id}-title`}>
          {title}
          {isChanged && (
            <span className={styles.changed} role="img" aria-label={t.changed} title={t.changed} />
          )}
          {isWide && reset}
        </b>
        <small id={`${id}-help`}>
          <CodeWords text={plainHelp(help)} /> <Default name={name} control={control} />{" "}
          {atStart && t.atStart}
        </small>
        {isWaiting && (
          <button
            type="button"
            className="btn small"
            title={t.restartTitle}
            data-testid="setting-restart"
            onClick={() => void settingsPage.restart()}
          >
            {t.restart}
          </button>
        )}
        {draft?.why && (
          <p className={styles.why} role="alert" id={`${id}-why`} data-testid="setting-error">
            <CodeWords text={draft.why} />
          </p>
        )}
      </div>
      <span className={styles.acts}>
        {!isWide && reset}
        {known && <Control name={name} control={control} value={value} id={id} isBad={Boolean(draft?.why)} />}
      </span>
    </div>
  );
}

function Default({ name, control }: { name: SettingKey; control: SettingControl }) {
  const value: unknown = defaultSettings[name];
  if (typeof value === "object" || control.kind === "switch") return null;
  const said = value === undefined || value === "" ? t.noDefault : String(value);
  return t.defaultIs(control.kind === "choice" ? optionLabel(name, said) : said);
}

interface ControlProps {
  name: SettingKey;
  control: SettingControl;
  value: unknown;
  /** What its title and help are named by. */
  id: string;
  isBad: boolean;
}

function Control({ name, control, value, id, isBad }: ControlProps) {
  const { settingsPage } = useWindowState();
  const named = { "aria-labelledby": `${id}-title`, "aria-describedby": `${id}-help` };
  const keep = async (next: unknown) => {
    const checked = checkValue(name, next);
    const why = checked.ok ? await settingsPage.change(name, checked.value) : checked.why;
    if (why !== null) settingsPage.draft(name, { text: textOf(control, value), why });
  };
  if (notHere.has(name)) {
    return (
      <>
        <span className={styles.fine}>{t.inServers}</span>
        <button
          type="button"
          className="btn small"
          data-testid="settings-servers"
          onClick={() => settingsPage.show("servers")}
        >
          {t.showServers}
        </button>
      </>
    );
  }
  if (name === "permissionRules") return <RuleList value={value} />;
  if (name === "permissionMode") {
    return <LevelCards value={String(value)} onChoose={(level) => void keep(level)} named={named} />;
  }
  if (shrinkOnly.has(name)) return <ShrinkList name={name} value={value} />;
  if (name === "model") {
    return <ModelControl value={String(value)} onChoose={(model) => void keep(model)} named={named} />;
  }
  if (isShortcutSetting(name)) {
    return <ShortcutField name={name} value={String(value)} labelledBy={named["aria-labelledby"]} />;
  }
  switch (control.kind) {
    case "switch":
      return (
        <button
          type="button"
          role="switch"
          className={styles.switch}
          aria-checked={value === true}
          data-testid="setting-control"
          {...named}
          onClick={() => void keep(value !== true)}
        />
      );
    case "choice":
      return (
        <select
          className={styles.select}
          value={String(value)}
          data-testid="setting-control"
          {...named}
          onChange={(event) => void keep(event.target.value)}
        >
          {!control.options.includes(String(value)) && <option>{String(value)}</option>}
          {control.options.map((option) => (
            <option key={option} value={option}>
              {optionLabel(name, option)}
            </option>
          ))}
        </select>
      );
    case "choices": {
      const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
      return (
        <fieldset className={styles.checks} {...named}>
          {control.options.map((option) => (
            <label key={option}>
              <input
                type="checkbox"
                data-testid="setting-control"
                checked={chosen.includes(option)}
                onChange={(event) =>
                  void keep(
                    control.options.filter((one) =>
                      one === option ? event.target.checked : chosen.includes(one),
                    ),
                  )
                }
              />
              {optionLabel(name, option)}
            </label>
          ))}
        </fieldset>
      );
    }
    default:
      return (
        <TypedField
          name={name}
          control={control}
          value={value}
          named={{ ...named, "aria-invalid": isBad, ...(isBad && { "aria-errormessage": `${id}-why` }) }}
        />
      );
  }
}

/** Where a document is named, its name alone. */
const plainHelp = (help: string): string =>
  help.replace(/ See \[[^\]]+\]\([^)]*\)\.$/, "").replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1");
