import { grouped } from "../../../shared/grouped.ts";
import {
  defaultMaxToolResultChars,
  defaultToolOutputLimits,
  type Settings,
} from "../../../shared/settings.ts";
import { headOf, tailOf } from "./text-ends.ts";

/** Both 0 = no limit. */
export interface OutputLimits {
  /** UTF-16 units. */
  maxChars: number;
  maxLines: number;
}

/** `shown` and `total` count UTF-16 units of the original. */
export interface Truncated {
  text: string;
  shown: number;
  total: number;
}

/**
 * What applies to a tool: the limit that the user set for this very tool, or the shipped table's, or the general one. A
 * general limit that the user lowered goes before the shipped table where that says more.
 */
export function limitsFor(
  name: string,
  settings: Pick<Settings, "maxToolResultChars" | "toolOutputLimits" | "toolLineLimits">,
): OutputLimits {
  const general = settings.maxToolResultChars;
  const own = ownOf(settings.toolOutputLimits, name) ?? general;
  const isShipped = own === defaultToolOutputLimits[name];
  const isLowered = general > 0 && general < Math.min(own, defaultMaxToolResultChars);
  const maxChars = isShipped && isLowered ? general : own;
  return { maxChars, maxLines: ownOf(settings.toolLineLimits, name) ?? 0 };
}

/** A model may make up any name, also one that every object has. */
const ownOf = (limits: Readonly<Record<string, number>>, name: string) =>
  Object.hasOwn(limits, name) ? limits[name] : undefined;

/**
 * Cuts `text` to its limits, characters first, then lines, keeping head and tail with a `...` line between them. The
 * last line says how much is shown, the one before it how to read the rest; all three count inside the limits. Below
 * about 100 characters or 3 lines there is room for the plain beginning only.
 * @param from the tool's name, and the call that `read_tool_output` can page
 */
export function truncate(
  text: string,
  { maxChars, maxLines }: OutputLimits,
  from: { tool: string; toolUseId: string },
): Truncated {
  const total = text.length;
  const fitsChars = maxChars === 0 || total <= maxChars;
  const fitsLines = maxLines === 0 || lineCount(text) <= maxLines;
  if (fitsChars && fitsLines) return { text, shown: total, total };

  const hint = `\n(To read the rest: read_tool_output with tool_use_id "${from.toolUseId}")`;
  for (const advice of [hint, ""]) {
    // Sized with the largest number it can show, so that the finished line is never longer.
    const charRoom =
      maxChars === 0 ? total : maxChars - (cut + advice + marker(total, total, from.tool)).length;
    const lineRoom = maxLines === 0 ? total : maxLines - (advice === "" ? 2 : 3);
    if (charRoom < 2 || lineRoom < 1) continue;
    const { head, tail } = withinLines(withinChars(text, charRoom), lineRoom);
    const shown = head.length + tail.length;
    // Without a tail there is no line after the dots.
    const kept = tail === "" ? head + cut.trimEnd() : head + cut + tail;
    return { text: kept + advice + marker(shown, total, from.tool), shown, total };
  }
  const lines = maxLines === 0 ? text : text.split("\n", maxLines).join("\n");
  const head = maxChars === 0 ? lines : headOf(lines, maxChars);
  return { text: head, shown: head.length, total };
}

interface Ends {
  head: string;
  tail: string;
}

const cut = "\n...\n";

function marker(shown: number, total: number, toolName: string): string {
  return `\n[OUTPUT TRUNCATED: Showing ${grouped(shown)} of ${grouped(total)} characters from ${toolName}]`;
}

/** A line break at the very end begins no line. */
function lineCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return text.endsWith("\n") ? count : count + 1;
}

/** Where all fits, the whole is the head. */
function withinChars(text: string, room: number): Ends {
  if (text.length <= room) return { head: text, tail: "" };
  return {
    head: headOf(text, Math.ceil(room / 2)),
    tail: tailOf(text, Math.floor(room / 2)),
  };
}

/** A side that is short leaves its room to the other. */
function withinLines({ head, tail }: Ends, room: number): Ends {
  if (tail === "") {
    const lines = head.replace(/\n$/, "").split("\n");
    if (lines.length <= room) return { head: lines.join("\n"), tail };
    return {
      head: lines.slice(0, Math.ceil(room / 2)).join("\n"),
      tail: lastOf(lines, Math.floor(room / 2)),
    };
  }
  const above = head.split("\n");
  const below = tail.replace(/\n$/, "").split("\n");
  const half = Math.ceil(room / 2);
  const forHead = Math.min(above.length, Math.max(half, room - below.length));
  return {
    head: above.slice(0, forHead).join("\n"),
    tail: lastOf(below, Math.min(below.length, room - forHead)),
  };
}

const lastOf = (lines: readonly string[], count: number) =>
  count === 0 ? "" : lines.slice(-count).join("\n");
