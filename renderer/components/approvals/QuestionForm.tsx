import { type FormEvent, use, useId, useState } from "react";
import {
  type QuestionForm as Form,
  type FormAnswer,
  type FormValue,
  fieldValue,
  readFormAnswer,
} from "../../../shared/servers/forms.ts";
import { texts } from "../../texts/texts.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { useBegunWords } from "./begun-words.ts";
import { FormInput } from "./FormInput.tsx";
import styles from "./QuestionForm.module.css";

const t = texts.approvals.form;

type Values = Readonly<Record<string, FormValue>>;

/** What an MCP server wants to know: sent as a whole, refused, or put aside. Faults are said beside their fields. */
export function QuestionForm({ id, form }: { id: string; form: Form }) {
  const { answerQuestion } = use(RowActionsContext);
  const prefix = useId();
  const [begun, write] = useBegunWords(`form ${id}`);
  const [values, setValues] = useState<Values>(() => ({ ...startingValues(form), ...begunValues(begun) }));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const answer = (given: FormAnswer) => answerQuestion(id, JSON.stringify(given));

  const send = (event: FormEvent) => {
    event.preventDefault();
    const content: Record<string, FormValue> = {};
    const found: Record<string, string> = {};
    for (const field of form.fields) {
      const read = fieldValue(field, values[field.name]);
      if ("fault" in read) found[field.name] = read.fault;
      else if (read.value !== undefined) content[field.name] = read.value;
    }
    setFaults(found);
    const [first] = Object.keys(found);
    if (first === undefined) answer({ action: "accept", content });
    else document.getElementById(`${prefix}-${first}`)?.focus();
  };

  return (
    <form className={styles.form} data-testid="form" noValidate onSubmit={send}>
      <p className={styles.warns} data-testid="form-warning">
        {form.fields.some(({ isSecret }) => isSecret) ? t.asksForSecret : t.noSecrets}
      </p>
      {form.fields.map((field) => (
        <FormInput
          key={field.name}
          id={`${prefix}-${field.name}`}
          field={field}
          value={values[field.name]}
          fault={faults[field.name]}
          onChange={(value) => {
            const next = { ...values, [field.name]: value };
            setValues(next);
            write(JSON.stringify(withoutSecretFields(form, next)));
            setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => name !== field.name)));
          }}
        />
      ))}
      <div className={styles.row}>
        <button type="submit" className="btn primary" data-testid="form-send">
          {texts.common.send}
        </button>
        <button
          type="button"
          className="btn"
          data-testid="form-decline"
          title={t.declineTitle}
          onClick={() => answer({ action: "decline" })}
        >
          {t.decline}
        </button>
        <span className="sp" />
        <button
          type="button"
          className="btn ghost"
          data-testid="form-cancel"
          title={t.cancelTitle}
          onClick={() => answer({ action: "cancel" })}
        >
          {texts.common.cancel}
        </button>
      </div>
    </form>
  );
}

const startingValues = ({ fields }: Form): Values =>
  Object.fromEntries(
    fields.flatMap(({ name, kind, default: given }): [string, FormValue][] => {
      // A switch is off until it is switched on: it has no third state.
      if (kind === "boolean") return [[name, given === true]];
      return given === undefined ? [] : [[name, typeof given === "number" ? String(given) : given]];
    }),
  );

const begunValues = (words: string | null): Values => (words === null ? {} : JSON.parse(words));

/** What looks like a secret is kept nowhere. */
const withoutSecretFields = ({ fields }: Form, values: Values): Values => {
  const secret = new Set(fields.filter(({ isSecret }) => isSecret).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)));
};

/** What was sent, field by field. */
export function FilledForm({ form, answer }: { form: Form; answer: string }) {
  const read = readFormAnswer(answer);
  if (read?.action !== "accept") {
    return <p>{read?.action === "decline" ? t.declined : t.canceled}</p>;
  }
  const sent = form.fields.filter(({ name }) => read.content[name] !== undefined);
  return (
    <dl className={styles.filled}>
      {sent.map(({ name, label }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>{inWords(read.content[name])}</dd>
        </div>
      ))}
      {sent.length === 0 && <div>{t.sentEmpty}</div>}
    </dl>
  );
}

function inWords(value: FormValue | undefined): string {
  if (typeof value === "boolean") return value ? t.yes : t.no;
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}
