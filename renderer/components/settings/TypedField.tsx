import type { SettingKey } from "../../../shared/settings.ts";
import { checkText, type SettingControl, textOf } from "../../state/settings/setting-control.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Settings.module.css";

const t = texts.settingsPage;

interface TypedFieldProps {
  name: SettingKey;
  control: SettingControl;
  value: unknown;
  /** How it is named for those who do not see it. */
  named: Record<`aria-${string}`, string | boolean>;
}

/** A setting that is typed. It is kept on Enter and on leaving the field; what breaks the rule stays in the field. */
export function TypedField({ name, control, value, named }: TypedFieldProps) {
  const { settingsPage } = useWindowState();
  const draft = useStore(settingsPage.drafts)[name];
  const { unit, multiline = false } = t.of[name];
  const kept = textOf(control, value);
  const text = draft?.text ?? kept;
  const keep = async () => {
    if (draft === undefined || text === kept) return settingsPage.draft(name, null);
    const checked = checkText(name, control, text);
    const why = checked.ok ? await settingsPage.change(name, checked.value) : checked.why;
    if (why !== null) settingsPage.draft(name, { text, why });
  };
  const common = {
    ...named,
    "data-testid": "setting-control",
    value: text,
    spellCheck: false,
    onChange: (event: { target: { value: string } }) =>
      settingsPage.draft(name, { text: event.target.value, why: null }),
    onBlur: () => void keep(),
  };
  if (control.kind === "json" || multiline) {
    return (
      <textarea
        {...common}
        className={control.kind === "json" ? `${styles.area} ${styles.code}` : styles.area}
        rows={Math.min(10, Math.max(2, text.split("\n").length))}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void keep();
        }}
      />
    );
  }
  return (
    <span className={control.kind === "number" ? `${styles.field} ${styles.number}` : styles.field}>
      <input
        {...common}
        type="text"
        inputMode={control.kind === "number" ? "decimal" : undefined}
        onKeyDown={(event) => {
          if (event.key === "Enter") void keep();
        }}
      />
      {unit !== undefined && <span className={styles.fine}>{unit}</span>}
    </span>
  );
}
