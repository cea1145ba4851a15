import { z } from "zod";
import { asOutsideData, outsideTag } from "../../shared/conversation/data-marks.ts";
import { grouped } from "../../shared/grouped.ts";
import type { Tool } from "../agent/ports/ports.ts";
import { counted, cutBefore } from "./environment/text-content.ts";

/** UTF-16 units of a page: small enough to never be truncated itself by the usual limit. */
const maxPageChars = 30_000;

const input = z.object({
  tool_use_id: z.string().min(1).describe("The id of the call, as the shortened result says it."),
  unit: z.enum(["lines", "characters"]).default("lines").describe("What offset and limit count."),
  offset: z.number().int().min(1).default(1).describe("The first line or character to show, counted from 1."),
  limit: z
    .number()
    .int()
    .min(1)
    .max(maxPageChars)
    .optional()
    .describe("How many to show. Default: 500 lines or 10000 characters."),
});

export const readToolOutputTool: Tool<z.infer<typeof input>> = {
  name: "read_tool_output",
  description: "Read more of an earlier tool result that was shortened because it was too long.",
  input,
  effect: "read",
  async run(
    { tool_use_id, unit, offset, limit = unit === "lines" ? 500 : 10_000 },
    { fullOutput, settings },
  ) {
    const whole = fullOutput(tool_use_id);
    if (whole === undefined) {
      return { text: `There is no earlier call ${tool_use_id} in this conversation.`, isError: true };
    }
    // The last line, which says where this page stands, must fit in as well.
    const most = Math.min(maxPageChars, settings.maxToolResultChars || maxPageChars) - 200;
    const page =
      unit === "lines" ? byLines(whole, offset, limit, most) : byCharacters(whole, offset, limit, most);
    // Whose words they are stands at their beginning and end only, which this page may not show.
    if (page && whole.includes(`<${outsideTag} `))
      return { text: asOutsideData(page.text, "an earlier result") };
    return page ?? { text: `It has only ${counted(sizeIn(whole, unit), unit.slice(0, -1))}.`, isError: true };
  },
};

function byLines(
  whole: string,
  offset: number,
  limit: number,
  maxChars: number,
): { text: string } | undefined {
  const lines = whole.split("\n");
  if (offset > lines.length) return undefined;
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    chars += line.length + 1;
    if (chars > maxChars) break;
    shown.push(line);
  }
  if (shown.length === 0) {
    const start = lines.slice(0, offset - 1).join("\n").length + (offset > 1 ? 2 : 1);
    return { text: `Line ${offset} is too long; read it with unit "characters" from offset ${start}.` };
  }
  return { text: `${shown.join("\n")}\n${place("lines", offset, shown.length, lines.length)}` };
}

function byCharacters(
  whole: string,
  offset: number,
  limit: number,
  maxChars: number,
): { text: string } | undefined {
  if (offset > whole.length) return undefined;
  const start = cutBefore(whole, offset - 1);
  const after = start + Math.max(2, Math.min(limit, maxChars));
  const shown = whole.slice(start, cutBefore(whole, after));
  return { text: `${shown}\n${place("characters", start + 1, shown.length, whole.length)}` };
}

const sizeIn = (whole: string, unit: "lines" | "characters") =>
  unit === "lines" ? whole.split("\n").length : whole.length;

function place(unit: string, offset: number, shown: number, total: number): string {
  const last = offset + shown - 1;
  const next = last < total ? `; read on with offset ${last + 1}` : "; that is the end";
  return `[${unit} ${grouped(offset)}–${grouped(last)} of ${grouped(total)}${next}]`;
}
