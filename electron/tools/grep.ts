import { z } from "zod";
import type { Tool } from "../agent/ports/ports.ts";
import { nameIn } from "./environment/from-folder.ts";
import { findRipgrep } from "./environment/ripgrep.ts";

const maxLimit = 2000;

const input = z.object({
  pattern: z.string().min(1).describe("A regular expression, in ripgrep's syntax."),
  path: z.string().optional().describe("The file or folder to search. Default: the working folder."),
  glob: z
    .string()
    .optional()
    .describe(
      "Search only files whose path, from path or from the working folder, matches, such as *.ts or src/**.",
    ),
  ignore_case: z.boolean().default(false).describe("Treat capitals and small letters alike."),
  mode: z
    .enum(["content", "files", "count"])
    .default("content")
    .describe(
      "content: matching lines, as path:number:text. files: only the paths. count: how many lines match in each file.",
    ),
  limit: z.number().int().min(1).max(maxLimit).default(200).describe("The most lines to return."),
});

/** @param program ripgrep's path; null where it is not installed */
export function grepTool(program: string | null = findRipgrep() ?? null): Tool<z.infer<typeof input>> {
  return {
    name: "grep",
    description:
      "Search the contents of files with a regular expression. Hidden files and files that .gitignore names are skipped, unless glob or path names them.",
    input,
    effect: "read",
    unavailable:
      program === null
        ? "ripgrep is missing: install the package ripgrep, or Parley's own packages again."
        : undefined,
    withPaths: (call, of, folder) => ({ ...call, path: call.path === undefined ? folder : of(call.path) }),
    async run({ ignore_case, limit, ...options }, { environment, signal, hides, fence = null, folder }) {
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
      return {
        text: [...lines.map((line) => nameIn(folder, line)), ...(truncated ? [more] : [])].join("\n"),
      };
    },
  };
}
