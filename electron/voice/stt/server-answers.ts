import { z } from "zod";
import { type SttSessionStatus, sttSessionStatus } from "../../../shared/voice/stt.ts";

/**
 * What speech servers answer, read as kindly as can be: only what nothing can be done without is required, what is
 * optional and cannot be read counts as absent, and names may be spelled `session_id`, `sessionId` or `SessionId`.
 */

/** Absent where it is missing, null or unreadable. */
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const sessionId = z
  .union([
    z.string().min(1),
    z
      .number()
      .refine((id) => Math.abs(id) <= Number.MAX_SAFE_INTEGER, "has too many digits: send it as text"),
  ])
  .transform(String);
/** As a number or its digits. `null` is none, though it could be taken for 0. */
export const seq = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.number().int().min(0));

/** Words of other servers for the same. Whatever else they say, such as “listening”, means that it runs. */
const otherWords: Readonly<Record<string, SttSessionStatus>> = {
  ended: "stopped",
  finished: "stopped",
  done: "stopped",
  closed: "stopped",
  complete: "stopped",
  completed: "stopped",
  error: "failed",
};
const status = lenient(
  z.string().transform((word): SttSessionStatus => {
    const known = sttSessionStatus.safeParse(word.toLowerCase());
    return known.success ? known.data : (otherWords[word.toLowerCase()] ?? "running");
  }),
);

export const startAnswer = z.object({
  session_id: sessionId,
  mic_device_name: lenient(z.string()),
});
export type StartAnswer = z.infer<typeof startAnswer>;

export const updatesAnswer = z.object({
  /** Absent where the server does not say how the session stands. */
  status,
  /** Some write null for an empty list. */
  events: z
    .array(z.unknown())
    .nullable()
    .transform((events) => events ?? []),
  /** The last seq returned. */
  next_seq: lenient(seq),
  /** The oldest seq still held. */
  first_seq: lenient(seq),
});
export type UpdatesAnswer = z.infer<typeof updatesAnswer>;

/** That it stopped is all that counts. */
export const stopAnswer = z.unknown();

const device = z
  .object({
    id: lenient(z.union([z.string(), z.number()]).transform(String)),
    device_id: lenient(z.union([z.string(), z.number()]).transform(String)),
    name: lenient(z.string()),
    device_name: lenient(z.string()),
    label: lenient(z.string()),
    is_default: lenient(z.boolean()),
    default: lenient(z.boolean()),
  })
  .transform(({ id, device_id, name, device_name, label, is_default, default: isDefault }) => {
    const known = id ?? device_id ?? name ?? device_name ?? "";
    return {
      id: known,
      name: name ?? device_name ?? label ?? known,
      is_default: is_default ?? isDefault ?? false,
    };
  });
const devices = lenient(
  z.array(z.unknown()).transform((all) =>
    all.flatMap((one) => {
      const read = device.safeParse(typeof one === "string" ? { id: one, name: one } : one);
      return read.success && read.data.id !== "" ? [read.data] : [];
    }),
  ),
);
const source = z.object({ id: z.enum(["microphone", "loopback", "file"]), label: z.string() });

export const devicesAnswer = z
  .preprocess(
    (answer) => (Array.isArray(answer) ? { capture: answer } : answer),
    z.object({
      sources: lenient(z.array(source)),
      capture: devices,
      devices,
      microphones: devices,
      render: devices,
      warning: lenient(z.string()),
    }),
  )
  .transform(({ sources = [], capture, devices: plain, microphones, render, warning }) => ({
    sources,
    capture: capture ?? microphones ?? plain ?? [],
    render: render ?? [],
    ...(warning !== undefined && { warning }),
  }));

/** The same with all names in `snake_case`, at any depth. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [snakeCase(name), inSnakeCase(inner)]),
  );
}

const snakeCase = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();

/** The id of a session in an answer that cannot be read otherwise; null where there is none. */
export function sessionIdIn(values: readonly unknown[], text: string): string | null {
  for (const value of values) {
    const read = startAnswer.pick({ session_id: true }).safeParse(value);
    if (read.success) return read.data.session_id;
  }
  // The text comes first: numbers among the values may have lost digits.
  return /\bsession_?id["']?\s*[:=]\s*["']?([\w.:-]+)/i.exec(text + JSON.stringify(values))?.[1] ?? null;
}
