import type { FormField, FormValue } from "../../../shared/servers/forms.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./QuestionForm.module.css";

const t = texts.approvals;

interface FormInputProps {
  id: string;
  field: FormField;
  value: FormValue | undefined;
  fault: string | undefined;
  onChange: (value: FormValue) => void;
}

/** One field of a form, with its label, what it is about, and what is wrong with it. */
export function FormInput(props: FormInputProps) {
  const { id, field, fault } = props;
  const label = (
    <>
      {field.label}
      {field.isRequired && field.kind !== "boolean" && <i> {t.form.required}</i>}
    </>
  );
  const below = (
    <>
      {field.description !== undefined && <small id={`${id}-about`}>{field.description}</small>}
      {fault !== undefined && (
        <small className={styles.fault} id={`${id}-fault`} role="alert">
          {t.form.fault(fault)}
        </small>
      )}
    </>
  );
  return field.kind === "choices" ? (
    <fieldset className={styles.field}>
      <legend className={styles.label}>{label}</legend>
      <Control {...props} />
      {below}
    </fieldset>
  ) : (
    <div className={field.kind === "boolean" ? `${styles.field} ${styles.yesNo}` : styles.field}>
      {field.kind === "boolean" && <Control {...props} />}
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {field.kind !== "boolean" && <Control {...props} />}
      {below}
    </div>
  );
}

const inputTypes = { email: "email", uri: "url", date: "date", "date-time": "text" } as const;

function Control({ id, field, value, fault, onChange }: FormInputProps) {
  const { kind, choices = [], format, description } = field;
  const common = {
    id,
    "aria-invalid": fault !== undefined,
    "aria-required": field.isRequired,
    "aria-describedby":
      [description === undefined ? "" : `${id}-about`, fault === undefined ? "" : `${id}-fault`]
        .filter((one) => one !== "")
        .join(" ") || undefined,
  };
  switch (kind) {
    case "boolean":
      return (
        <input
          {...common}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case "choice":
      return (
        <select
          {...common}
          value={typeof value === "string" ? value : ""}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{t.form.choose}</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      );
    case "choices": {
      const chosen = Array.isArray(value) ? value : [];
      return (
        <span className={styles.choices}>
          {choices.map((choice, index) => (
            <label key={choice.value}>
              <input
                type="checkbox"
                id={index === 0 ? id : undefined}
                checked={chosen.includes(choice.value)}
                onChange={(event) =>
                  onChange(
                    event.target.checked
                      ? [...chosen, choice.value]
                      : chosen.filter((one) => one !== choice.value),
                  )
                }
              />
              {choice.label}
            </label>
          ))}
        </span>
      );
    }
    case "number":
    case "integer":
    case "text":
      return (
        <input
          {...common}
          type={format === undefined ? "text" : inputTypes[format]}
          inputMode={kind === "text" ? undefined : "decimal"}
          value={typeof value === "string" ? value : ""}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}
