import { z } from "zod";
import type { Tool } from "../agent/ports/ports.ts";
import { nameIn, shownName } from "./environment/from-folder.ts";

const maxLimit = 5000;

const input = z.object({
  pattern: z.string().min(1).describe("Such as **/*.ts or src/{a,b}/*.json, relative to path."),
  path: z.string().optional().describe("The folder to look in. Default: the working folder."),
  limit: z.number().int().min(1).max(maxLimit).default(500).describe("The most paths to return."),
});

export const globTool: Tool<z.infer<typeof input>> = {
  name: "glob",
  description:
    "Find files by path pattern, the most recently changed first. Hidden files and node_modules are skipped.",
  input,
  effect: "read",
  withPaths: (call, of, folder) => ({ ...call, path: call.path === undefined ? folder : of(call.path) }),
  async run({ limit, ...options }, { environment, signal, hides = () => false, folder }) {
    const { paths: found, truncated } = await environment.glob({ ...options, limit, signal });
    const paths = found.filter((path) => !hides(path));
    if (paths.length === 0) return { text: "No files match." };
    const more = `(only the ${limit} newest; narrow the pattern, or raise limit up to ${maxLimit})`;
    return {
      text: [...paths.map((path) => shownName(nameIn(folder, path))), ...(truncated ? [more] : [])].join(
        "\n",
      ),
    };
  },
};
