import { type ReactNode, useId } from "react";
import { defaultSettings, notHere, type SettingKey } from "../../../shared/settings.ts";
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
import { Switch } from "../ui/Switch.tsx";
import { useWindowState } from "../window/window-context.ts";
import { ChipList } from "./ChipList.tsx";
import { LevelCards } from "./LevelCards.tsx";
import { ModelControl } from "./ModelControl.tsx";
import { RuleList } from "./RuleList.tsx";
import { Segments } from "./Segments.tsx";
import styles from "./Settings.module.css";
import { isShortcutSetting, ShortcutField } from "./ShortcutField.tsx";
import { TypedField } from "./TypedField.tsx";
import { isVoiceChoice, VoiceChoice } from "./VoiceChoice.tsx";

const t = texts.settingsPage;

/** In characters: choices whose names are longer together stand in a menu. */
const maxSegments = 24;

/** Settings that are a group of their own: their title is its heading. */
type HeadingSetting = "permissionMode" | "permissionRules";

export const isHeading = (name: SettingKey): name is HeadingSetting =>
  name === "permissionMode" || name === "permissionRules";

/** One setting: its title, what it does, the way back to the default, and its control by its type. */
export function SettingRow({ name }: { name: SettingKey }) {
  const { settingsPage } = useWindowState();
  const { known, value, why, isChanged, id, keep } = useSetting(name);
  const { title, help, short = help, atStart } = t.of[name];
  return (
    <div className={styles.row} data-testid="setting" data-key={name} data-changed={isChanged}>
      <div className={styles.lab}>
        <b id={`${id}-title`}>
          {title}
          {isChanged && <Changed />}
        </b>
        <small id={`${id}-help`}>
          {short} {atStart && t.atStart}
        </small>
        {known?.waiting.includes(name) && (
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
        <Refusal why={why} id={id} />
      </div>
      <Reset name={name} isChanged={isChanged} />
      <span className={styles.acts}>
        {known && <Control name={name} value={value} id={id} isBad={why !== null} keep={keep} />}
      </span>
    </div>
  );
}

/** The level as cards on the page, or the rules as rows of their card. */
export function SettingOnPage({ name, under }: { name: HeadingSetting; under: ReactNode }) {
  const { known, value, why, isChanged, id, keep } = useSetting(name);
  const { title, help, short = help } = t.of[name];
  const named = { "aria-labelledby": `${id}-title`, "aria-describedby": `${id}-help` };
  return (
    <section className={styles.group} data-testid="setting" data-key={name} data-changed={isChanged}>
      <h2>
        {under}
        <span id={`${id}-title`}>{title}</span>
        {isChanged && <Changed />}
        <Reset name={name} isChanged={isChanged} />
        <span id={`${id}-help`} className={styles.end}>
          {short}
        </span>
      </h2>
      <Refusal why={why} id={id} />
      {known &&
        (name === "permissionRules" ? (
          <RuleList value={value} />
        ) : (
          <LevelCards value={String(value)} onChoose={(level) => void keep(level)} named={named} />
        ))}
    </section>
  );
}

/** What is known of a setting, and the way to another value of it. */
function useSetting(name: SettingKey) {
  const { settingsPage } = useWindowState();
  const known = useStore(settingsPage.values);
  const why = useStore(settingsPage.drafts)[name]?.why ?? null;
  const value: unknown = known && name !== "mcpServers" ? known.values[name] : undefined;
  const isChanged = known !== null && !notHere.has(name) && !isDefault(name, value);
  const keep = async (next: unknown) => {
    const checked = checkValue(name, next);
    const refused = checked.ok ? await settingsPage.change(name, checked.value) : checked.why;
    if (refused !== null) settingsPage.draft(name, { text: textOf(controlOf(name), value), why: refused });
  };
  return { known, value, why, isChanged, id: useId(), keep };
}

const Changed = () => <span className={styles.changed} role="img" aria-label={t.changed} title={t.changed} />;

/** Why what was wanted is not kept. */
function Refusal({ why, id }: { why: string | null; id: string }) {
  if (why === null) return null;
  return (
    <p className={styles.why} role="alert" id={`${id}-why`} data-testid="setting-error">
      <CodeWords text={why} />
    </p>
  );
}

function Reset({ name, isChanged }: { name: SettingKey; isChanged: boolean }) {
  const { settingsPage } = useWindowState();
  const draft = useStore(settingsPage.drafts)[name];
  if (!isChanged && draft === undefined) return null;
  const label = t.reset(t.of[name].title);
  return (
    <button
      type="button"
      className="btn icon ghost"
      data-testid="setting-reset"
      aria-label={label}
      title={defaultOf(name, controlOf(name)) ?? label}
      onClick={() => {
        settingsPage.draft(name, null);
        void settingsPage.change(name, undefined);
      }}
    >
      <Icon name="rewind" size={14} />
    </button>
  );
}

/** The default in words; null where there are none for it. */
function defaultOf(name: SettingKey, control: SettingControl): string | null {
  const value: unknown = defaultSettings[name];
  if (control.kind === "choice") return t.defaultIs(optionLabel(name, String(value)));
  if (control.kind !== "number" || value === undefined) return null;
  return t.defaultIs([value, t.of[name].unit].join(" ").trim());
}

interface ControlProps {
  name: SettingKey;
  value: unknown;
  /** What its title and help are named by. */
  id: string;
  isBad: boolean;
  keep: (next: unknown) => Promise<void>;
}

function Control({ name, value, id, isBad, keep }: ControlProps) {
  const { settingsPage } = useWindowState();
  const control = controlOf(name);
  const named = { "aria-labelledby": `${id}-title`, "aria-describedby": `${id}-help` };
  const invalid = { "aria-invalid": isBad, ...(isBad && { "aria-errormessage": `${id}-why` }) };
  const choose = (next: string) => void keep(next);
  if (notHere.has(name)) {
    return (
      <button
        type="button"
        className="btn small"
        data-testid="settings-servers"
        onClick={() => settingsPage.show("servers")}
      >
        {t.showServers}
      </button>
    );
  }
  if (name === "model") return <ModelControl value={String(value)} onChoose={choose} named={named} />;
  if (isVoiceChoice(name)) {
    return <VoiceChoice name={name} value={String(value)} onChoose={choose} named={named} />;
  }
  if (isShortcutSetting(name)) {
    return <ShortcutField name={name} value={String(value)} labelledBy={named["aria-labelledby"]} />;
  }
  switch (control.kind) {
    case "switch":
      return (
        <Switch
          isOn={value === control.on}
          data-testid="setting-control"
          {...named}
          onChange={(isOn) => void keep(isOn ? control.on : control.off)}
        />
      );
    case "choice": {
      const options = control.options.map((option) => [option, optionLabel(name, option)] as const);
      if (options.map(([, label]) => label).join("").length <= maxSegments) {
        return (
          <Segments name={name} value={String(value)} options={options} onChoose={choose} named={named} />
        );
      }
      return (
        <select
          className={styles.select}
          value={String(value)}
          data-testid="setting-control"
          {...named}
          onChange={(event) => choose(event.target.value)}
        >
          {!control.options.includes(String(value)) && <option>{String(value)}</option>}
          {options.map(([option, label]) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </select>
      );
    }
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
    case "list":
      return <ChipList name={name} value={value} named={named} invalid={invalid} />;
    default:
      return <TypedField name={name} control={control} value={value} named={{ ...named, ...invalid }} />;
  }
}
