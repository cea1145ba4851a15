import { z } from "zod";
import {
  type SttEvent,
  type SttSessionStatus,
  sttEvent,
  sttSessionStatus,
} from "../../../shared/voice/stt.ts";

/**
 * What speech servers answer, read as kindly as can be: only what nothing can be done without is required, what is
 * optional and cannot be read counts as absent, and names may be spelled `session_id`, `sessionId` or `SessionId`.
 */

/** Absent where it is missing, null or unreadable. */
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const sessionId = z.union([z.string().min(1), z.number()]).transform(String);
/** As a number or its digits. `null` is none, though it could be taken for 0. */
const seq = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.number().int().min(0));

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
  events: z.array(z.unknown()),
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
  .object({
    sources: lenient(z.array(source)),
    capture: devices,
    devices,
    microphones: devices,
    render: devices,
    warning: lenient(z.string()),
  })
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
export function sessionIdIn(answer: unknown, text: string): string | null {
  const read = startAnswer.pick({ session_id: true }).safeParse(answer);
  if (read.success) return read.data.session_id;
  return /\bsession_?id["']?\s*[:=]\s*["']?([\w.:-]+)/i.exec(text)?.[1] ?? null;
}

export interface NumberedEvent {
  seq: number;
  /** null for an event of a kind that we do not know: its number counts all the same. */
  event: SttEvent | null;
}

/**
 * The events of one answer, in their order, and what is wrong with those of a known kind that cannot be read.
 * @param cursor the number that was asked from: where the server numbers nothing, its news begins after it
 */
export function eventsIn(
  { events, next_seq: next }: Pick<UpdatesAnswer, "events" | "next_seq">,
  cursor: number,
): { batch: NumberedEvent[]; unreadable: string[] } {
  const batch: NumberedEvent[] = [];
  const unreadable: string[] = [];
  const isNumbered = next !== undefined || events.some((raw) => numberOf(raw) !== undefined);
  for (const [index, raw] of events.entries()) {
    if (typeof raw !== "object" || raw === null) {
      unreadable.push("an event that is no object");
      continue;
    }
    // Without numbers of their own they are counted back from the last one, or as they come.
    const last = isNumbered ? next : cursor + events.length;
    const number = numberOf(raw) ?? (last === undefined ? undefined : last - (events.length - 1 - index));
    if (number === undefined || number < 1) {
      unreadable.push("an event without `seq`");
      continue;
    }
    const read = readEvent({ ...raw, seq: number });
    if ("fault" in read) unreadable.push(read.fault);
    batch.push({ seq: number, event: "event" in read ? read.event : null });
  }
  return { batch: batch.sort((a, b) => a.seq - b.seq), unreadable };
}

function numberOf(raw: unknown): number | undefined {
  if (typeof raw !== "object" || raw === null || !("seq" in raw) || raw.seq === null) return undefined;
  const read = seq.safeParse(raw.seq);
  return read.success ? read.data : undefined;
}

/** The answers of a server that numbers nothing: some give each event once, others begin with what they gave before. */
export class UnnumberedAnswers {
  #before: string[] = [];

  /** Without what the answer before it has given already. */
  news<T extends Pick<UpdatesAnswer, "events" | "next_seq">>(answer: T): T {
    if (answer.next_seq !== undefined || answer.events.some((raw) => numberOf(raw) !== undefined))
      return answer;
    const before = this.#before;
    this.#before = answer.events.map((raw) => JSON.stringify(raw));
    const isRepeated = before.length > 0 && before.every((one, index) => one === this.#before[index]);
    return isRepeated ? { ...answer, events: answer.events.slice(before.length) } : answer;
  }
}

/** What servers of the older kind call the words so far. */
const partialTypes: ReadonlySet<unknown> = new Set(["provisional_text", "stable_text"]);
/** What does without them misses nothing that was said. */
const hints: ReadonlySet<string> = new Set(["speech_start", "speech_end", "info"]);
const knownTypes: ReadonlySet<string> = new Set(sttEvent.options.map(({ shape }) => shape.type.value));

function readEvent(raw: Record<string, unknown>): { event: SttEvent } | { fault: string } | object {
  const type = partialTypes.has(raw.type) ? "utterance_partial" : raw.type;
  if (typeof type !== "string" || !knownTypes.has(type)) return {};
  const whole = {
    ...raw,
    type,
    text: raw.text ?? textOf(raw.payload),
    timestamp_utc: timeOf(raw.timestamp_utc),
  };
  const strict = sttEvent.safeParse(whole);
  if (strict.success) return { event: strict.data };
  // What cannot be read is left out; where the event can do without, it counts.
  const faulty = new Set(strict.error.issues.map(({ path }) => path[0]));
  const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => !faulty.has(name)));
  const kind = sttEvent.safeParse(rest);
  if (kind.success) return { event: kind.data };
  if (hints.has(type)) return {};
  return {
    fault: `\`${type}\` without a readable ${[...faulty].map((name) => `\`${String(name)}\``).join(", ")}`,
  };
}

const textOf = (payload: unknown) =>
  typeof payload === "object" && payload !== null && "text" in payload ? payload.text : undefined;

/** Some tell the time in seconds or milliseconds since the epoch, some not at all. */
function timeOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "number" || !Number.isFinite(value)) return "";
  const ms = value > 1e11 ? value : value * 1000;
  return ms >= 0 && ms < 8e15 ? new Date(ms).toISOString() : "";
}
