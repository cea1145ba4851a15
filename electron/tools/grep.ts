import { z } from "zod";
import type { Tool } from "../agent/ports/ports.ts";
import { findRipgrep } from "./environment/ripgrep.ts";

const maxLimit = 2000;

const input = z.object({
  pattern: z.string().min(1).describe("A regular expression in ripgrep's syntax."),
  path: z
    .string()
    .optional()
    .describe("File or folder, relative to the working folder, which is the default."),
  glob: z.string().optional().describe("Only files whose path matches, such as *.ts or src/**."),
  ignore_case: z.boolean().default(false),
  mode: z
    .enum(["content", "files", "count"])
    .default("content")
    .describe("content: lines as path:number:text; files: paths only; count: matching lines per file."),
  limit: z.number().int().min(1).max(maxLimit).default(200).describe("Most lines of the answer."),
});

/** @param program ripgrep's path; null where it is not installed */
export function grepTool(program: string | null = findRipgrep() ?? null): Tool<z.infer<typeof input>> {
  return {
    name: "grep",
    description:
      "Searches the contents of files. Hidden files and what .gitignore names are left out. Paths in the answer are relative to the working folder.",
    input,
    effect: "read",
    unavailable:
      program === null
        ? "ripgrep is missing: install the package ripgrep, or Parley's own packages again."
        : undefined,
    async run({ ignore_case, limit, ...options }, { environment, signal, hides, fence = null }) {
      const { lines, truncated } = await environment.grep({
        ...options,
        fence,
        ignoreCase: ignore_case,
        limit,
        signal,
        hides,
      });
      if (lines.length === 0) return { text: "No matches." };
      const more = `(only the first ${limit} lines; narrow the search, or raise limit up to ${maxLimit})`;
      return { text: [...lines, ...(truncated ? [more] : [])].join("\n") };
    },
  };
}
