import { z } from "zod";
import { levels, permissionLevel } from "../../../shared/safety/permissions.ts";
import { defaultSettings, type SettingKey, settingsShape } from "../../../shared/settings.ts";
import { texts } from "../../texts/texts.ts";

/** How a setting is shown and changed; it follows from its schema. */
export type SettingControl =
  | { kind: "switch"; on: unknown; off: unknown }
  | { kind: "choice"; options: readonly string[] }
  | { kind: "choices"; options: readonly string[] }
  | { kind: "number"; min: number | undefined; max: number | undefined; isWhole: boolean }
  | { kind: "text" }
  | { kind: "list" }
  | { kind: "json" };

const rule = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  items: z.looseObject({ type: z.string().optional(), enum: z.array(z.string()).optional() }).optional(),
});

export function controlOf(key: SettingKey): SettingControl {
  const known = rule.safeParse(z.toJSONSchema(settingsShape[key], { io: "input", unrepresentable: "any" }));
  if (!known.success) return { kind: "json" };
  const { type, enum: options, items, minimum: min, maximum } = known.data;
  // Names of earlier versions are read, but not offered.
  if (key === "permissionMode") return { kind: "choice", options: permissionLevel.options };
  if (options?.length === 2 && options.includes("on") && options.includes("off"))
    return { kind: "switch", on: "on", off: "off" };
  if (options) return { kind: "choice", options };
  if (type === "boolean") return { kind: "switch", on: true, off: false };
  if (type === "integer" || type === "number") {
    const max = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
    return { kind: "number", min, max, isWhole: type === "integer" };
  }
  if (type === "string") return { kind: "text" };
  if (type === "array" && items?.enum) return { kind: "choices", options: items.enum };
  return type === "array" && items?.type === "string" ? { kind: "list" } : { kind: "json" };
}

/** A choice as people read it. */
export function optionLabel(key: SettingKey, option: string): string {
  const level = permissionLevel.safeParse(option);
  if (key === "permissionMode" && level.success) return levels[level.data].label;
  const said = texts.settingsPage.choices[key]?.[option] ?? option.replaceAll("-", " ");
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** The value as it stands in a field. */
export function textOf(control: SettingControl, value: unknown): string {
  if (value === undefined) return "";
  return control.kind === "json" ? JSON.stringify(value, null, 1) : String(value);
}

export const isDefault = (key: SettingKey, value: unknown): boolean =>
  JSON.stringify(value) === JSON.stringify(defaultSettings[key]);

/** What a field says, checked by the setting's own rule. `value` undefined: the default is to count. */
type Checked = { ok: true; value: unknown } | { ok: false; why: string };

const { errors } = texts.settingsPage;

export function checkText(key: SettingKey, control: SettingControl, text: string): Checked {
  const isOptional = defaultSettings[key] === undefined;
  if (isOptional && text.trim() === "") return { ok: true, value: undefined };
  if (control.kind === "number") {
    const number = text.trim() === "" ? Number.NaN : Number(text);
    return Number.isFinite(number) ? checkValue(key, number) : { ok: false, why: errors.number };
  }
  if (control.kind !== "json") return checkValue(key, text);
  try {
    return checkValue(key, JSON.parse(text));
  } catch (error) {
    return { ok: false, why: errors.json(error instanceof Error ? error.message : String(error)) };
  }
}

export function checkValue(key: SettingKey, value: unknown): Checked {
  const checked: z.ZodSafeParseResult<unknown> = settingsShape[key].safeParse(value);
  if (checked.success) return { ok: true, value: checked.data };
  const [issue] = checked.error.issues;
  return { ok: false, why: issue ? wordsOf(issue) : errors.other(checked.error.message) };
}

function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_small") {
    return issue.origin === "string" ? errors.blank : errors.atLeast(Number(issue.minimum));
  }
  if (issue.code === "too_big") return errors.atMost(Number(issue.maximum));
  if (issue.code === "invalid_type" && issue.expected === "int") return errors.whole;
  if (issue.code === "invalid_type" && issue.expected === "number") return errors.number;
  if (issue.code === "invalid_format" && issue.format === "url") return errors.address;
  const place = issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  return errors.other(place + issue.message.replace(/^Invalid (input|option|string): /, ""));
}
