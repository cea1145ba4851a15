import { z } from "zod";
import type { Tool } from "../agent/ports/ports.ts";

const maxLimit = 5000;

const input = z.object({
  pattern: z.string().min(1).describe("Such as **/*.ts or src/{a,b}/*.json."),
  path: z.string().optional().describe("Folder to look in, relative to the working folder, the default."),
  limit: z.number().int().min(1).max(maxLimit).default(500).describe("Most paths of the answer."),
});

export const globTool: Tool<z.infer<typeof input>> = {
  name: "glob",
  description:
    "Finds files by their path, newest first. Hidden files and node_modules are left out. Paths in the answer are relative to the working folder.",
  input,
  effect: "read",
  async run({ limit, ...options }, { environment, signal, hides = () => false }) {
    const { paths: found, truncated } = await environment.glob({ ...options, limit, signal });
    const paths = found.filter((path) => !hides(path));
    if (paths.length === 0) return { text: "No files match." };
    const more = `(only the ${limit} newest; narrow the pattern, or raise limit up to ${maxLimit})`;
    return { text: [...paths, ...(truncated ? [more] : [])].join("\n") };
  },
};
