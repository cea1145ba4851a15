import { z } from "zod";
import { grouped } from "../../shared/grouped.ts";
import type { Tool } from "../agent/ports/ports.ts";
import { counted, cutBefore, linesOf, textOf } from "./environment/text-content.ts";
import { touchedPath } from "./environment/touched-path.ts";

const maxBytes = 10_000_000;
const maxLineChars = 2000;
const defaultLines = 2000;

const input = z.object({
  path: z.string().min(1).describe("File, relative to the working folder."),
  offset: z.number().int().min(1).default(1).describe("First line to show, counted from 1."),
  limit: z.number().int().min(1).max(10_000).default(defaultLines).describe("Most lines to show."),
});

/** Lines with their numbers, `     1→text`, and how to read on where some are left. */
export const readFileTool: Tool<z.infer<typeof input>> = {
  name: "read_file",
  description: "Reads a text file. Lines come numbered; offset and limit page through long files.",
  input,
  effect: "read",
  touchedPaths: ({ path }) => [touchedPath(path)],
  async run({ path, offset, limit }, { environment }) {
    const { bytes, totalBytes } = await environment.readFile(path, { maxBytes });
    const cut = bytes.length < totalBytes;
    const text = textOf(bytes, cut);
    if (text === null) {
      return {
        text: `${path} is not text (${grouped(totalBytes)} bytes); it cannot be read.`,
        isError: true,
      };
    }
    const lines = linesOf(text);
    if (lines.length === 0) return { text: `${path} is empty.` };
    if (offset > lines.length) {
      return { text: `${path} has only ${counted(lines.length, "line")}.`, isError: true };
    }
    const shown = lines.slice(offset - 1, offset - 1 + limit);
    const numbered = shown.map((line, index) => `${String(offset + index).padStart(6)}→${bounded(line)}`);
    const last = offset + shown.length - 1;
    if (last < lines.length) {
      numbered.push(
        `(lines ${grouped(offset)}–${grouped(last)} of ${grouped(lines.length)}; read on with offset ${last + 1})`,
      );
    } else if (cut) {
      numbered.push(`(only the first ${grouped(maxBytes)} of ${grouped(totalBytes)} bytes can be read)`);
    }
    return { text: numbered.join("\n") };
  },
};

function bounded(line: string): string {
  if (line.length <= maxLineChars) return line;
  return `${line.slice(0, cutBefore(line, maxLineChars))}… (${grouped(line.length - maxLineChars)} more characters)`;
}
