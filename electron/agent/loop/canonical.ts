import { createHash } from "node:crypto";

/** JSON with sorted keys: two inputs that differ only in the order of their keys are one. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** Of long outputs both ends count: enough to tell progress from repetition, at a bounded cost. UTF-16 units. */
const endChars = 100_000;

/** A hash of an output that stays the same where only times, durations or process ids differ. */
export function outputHash(output: string): string {
  const ends =
    output.length <= 2 * endChars
      ? output
      : `${output.slice(0, endChars)}\n${output.slice(-endChars)}\n${output.length}`;
  const lasting = passing.reduce((text, [pattern, name]) => text.replace(pattern, name), ends);
  return createHash("sha1").update(lasting).digest("base64");
}

const weekday = "(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?";
const month =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";

/** What differs from one run of the same command to the next without anything having changed. */
const passing: readonly [pattern: RegExp, name: string][] = [
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?)?/g, "<time>"],
  [
    new RegExp(String.raw`\b${weekday}(?:\d{1,2}\.? ${month}|${month} +\d{1,2})(?:,? \d{4})?\b`, "gi"),
    "<date>",
  ],
  // Behind the name of a file it is a place in that.
  [/(?<!\.\w+:)\b\d{1,2}:[0-5]\d(?::\d\d(?:[.,]\d+)?)?(?: ?[ap]m\b)?/gi, "<time>"],
  // Seconds and milliseconds since the epoch, of this century's first decades.
  [/\b1[0-9]{9}(?:[0-9]{3})?(?:\.\d+)?\b/g, "<time>"],
  [
    /\b\d+(?:[.,]\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?|milliseconds?|m|mins?|minutes?|h|hours?)\b/gi,
    "<duration>",
  ],
  [/\b(pid|ppid|process(?: id)?|tid|thread)(["']?[ :=#(]*)\d+/gi, "$1$2<pid>"],
  // As logs and shells write them: `sshd[4711]`, `[1] 4711`.
  [/(?<=\w)\[\d+\]/g, "[<pid>]"],
  [/^\[\d+\] \d+$/gm, "[<pid>]"],
];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
