import { z } from "zod";
import { withoutSecrets } from "../safety/redact.ts";

/** A form that an MCP server has filled in by the user: plain fields, no nesting. */

const choice = z.object({ value: z.string(), label: z.string() });
export const formValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
export type FormValue = z.infer<typeof formValue>;

export const formField = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  kind: z.enum(["text", "number", "integer", "boolean", "choice", "choices"]),
  isRequired: z.boolean(),
  /** It asks for what looks like a secret: what is typed there is kept nowhere. */
  isSecret: z.boolean().optional(),
  /** Of a text. */
  format: z.enum(["email", "uri", "date", "date-time"]).optional(),
  /** Of a text in characters, of a number its value, of choices how many. */
  least: z.number().optional(),
  most: z.number().optional(),
  choices: z.array(choice).optional(),
  default: formValue.optional(),
});
export type FormField = z.infer<typeof formField>;

export const questionForm = z.object({ server: z.string(), fields: z.array(formField) });
export type QuestionForm = z.infer<typeof questionForm>;

/** The answer to a question with a form, as JSON. `cancel`: put aside without a word. */
export const formAnswer = z.discriminatedUnion("action", [
  z.object({ action: z.literal("accept"), content: z.record(z.string(), formValue) }),
  z.object({ action: z.literal("decline") }),
  z.object({ action: z.literal("cancel") }),
]);
export type FormAnswer = z.infer<typeof formAnswer>;

/** @returns null for what is no answer to a form */
export function readFormAnswer(text: string): FormAnswer | null {
  try {
    return formAnswer.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What stands in place of an answer that is, or looks like, a secret. */
export const notKept = "(not kept)";

/** The answer to a form as it is kept and shown afterwards: the server alone gets all of it. */
export function keptAnswer({ fields }: QuestionForm, answer: string): string {
  const read = readFormAnswer(answer);
  if (read === null) return notKept;
  if (read.action !== "accept") return answer;
  const kept = fields.flatMap((field): [string, FormValue][] => {
    const value = read.content[field.name];
    if (value === undefined) return [];
    return [[field.name, isSecretValue(field, value) ? notKept : value]];
  });
  return JSON.stringify({ action: "accept", content: Object.fromEntries(kept) } satisfies FormAnswer);
}

/** The values of an answer that are, or look like, secrets. */
export function secretsIn(
  fields: readonly FormField[],
  content: Readonly<Record<string, FormValue>>,
): string[] {
  return fields.flatMap((field) => {
    const value = content[field.name];
    return value !== undefined && isSecretValue(field, value) ? [String(value)] : [];
  });
}

/** What was only chosen is no secret: the server wrote it. */
function isSecretValue({ kind, isSecret }: FormField, value: FormValue): boolean {
  if (kind === "boolean" || kind === "choice" || kind === "choices" || value === "") return false;
  return isSecret === true || (typeof value === "string" && withoutSecrets(value) !== value);
}

/**
 * What the user typed into a field, as the server wants it.
 * @returns undefined: left empty; `fault`: why it does not fit
 */
export function fieldValue(
  field: FormField,
  given: FormValue | undefined,
): { value: FormValue | undefined } | { fault: string } {
  if (given === undefined || given === "" || (Array.isArray(given) && given.length === 0)) {
    return field.isRequired ? { fault: "This is needed." } : { value: undefined };
  }
  const value = typeof given === "string" && isNumber(field) ? numberIn(given) : given;
  const fault = faultOf(field, value);
  return fault === null ? { value } : { fault };
}

const isNumber = ({ kind }: FormField) => kind === "number" || kind === "integer";
const numberIn = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

function faultOf(field: FormField, value: FormValue): string | null {
  const { kind, choices = [] } = field;
  const isKnown = (one: string) => choices.some((choice) => choice.value === one);
  switch (kind) {
    case "boolean":
      return typeof value === "boolean" ? null : "Yes or no.";
    case "integer":
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return "This is not a number.";
      if (kind === "integer" && !Number.isInteger(value)) return "A whole number, please.";
      return outside(field, value, "");
    case "choice":
      return typeof value === "string" && isKnown(value) ? null : "Choose one from the list.";
    case "choices":
      if (!Array.isArray(value) || !value.every(isKnown)) return "Choose from the list.";
      return outside(field, value.length, " choices");
    case "text":
      if (typeof value !== "string") return "This is not text.";
      return outside(field, value.length, " characters") ?? misformed(field, value);
  }
}

function outside({ least, most }: FormField, size: number, unit: string): string | null {
  if (least !== undefined && size < least) return `At least ${least}${unit}.`;
  return most !== undefined && size > most ? `At most ${most}${unit}.` : null;
}

function misformed({ format }: FormField, text: string): string | null {
  switch (format) {
    case "email":
      return z.email().safeParse(text).success ? null : "This is not an email address.";
    case "uri":
      return URL.canParse(text) ? null : "This is not a web address.";
    case "date":
      return z.iso.date().safeParse(text).success ? null : "A date such as 2026-01-31.";
    case "date-time":
      return z.iso.datetime({ offset: true, local: true }).safeParse(text).success
        ? null
        : "A time such as 2026-01-31T12:00:00Z.";
    case undefined:
      return null;
  }
}
