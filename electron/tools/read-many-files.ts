import { z } from "zod";
import { grouped } from "../../shared/grouped.ts";
import { isSecretPath, seeksSecrets } from "../../shared/safety/secret-files.ts";
import type { ExecutionEnvironment, Tool } from "../agent/ports/ports.ts";
import { nameIn } from "./environment/from-folder.ts";
import { counted, linesOf, seemingText, textOf } from "./environment/text-content.ts";
import { touchedPath } from "./environment/touched-path.ts";

const maxFiles = 100;
/** Of one file, and of all together. */
const maxBytes = 200_000;
const maxTotalChars = 500_000;

const input = z.object({
  paths: z.array(z.string().min(1)).min(1).max(maxFiles).describe("Files, or patterns such as src/**/*.ts."),
});

/** Each file under a line with its path. One that cannot be read says why and keeps none of the others back. */
export const readManyFilesTool: Tool<z.infer<typeof input>> = {
  name: "read_many_files",
  description:
    "Read several text files in one call, by path or pattern. Each comes under a line with its path, without line numbers. Use read_file for one long file or an image.",
  input,
  effect: "read",
  touchedPaths: ({ paths }) => paths.filter((path) => !isPattern(path)).map(touchedPath),
  withPaths: ({ paths }, of) => ({ paths: paths.map(of) }),
  async run({ paths }, { environment, signal, hides = () => false, folder }) {
    const parts: string[] = [];
    let total = 0;
    let failed = 0;
    const { files: found, notes } = await expanded(paths, environment, signal);
    const files = found.filter((path) => !hides(path));
    for (const path of files) {
      signal.throwIfAborted();
      if (total >= maxTotalChars) {
        parts.push(`(enough: ${grouped(files.length - parts.length)} more files were not read)`);
        break;
      }
      const content = await contentOf(path, environment, !paths.includes(path) || isPattern(path)).catch(
        (error: unknown) => {
          failed++;
          return `(not read: ${error instanceof Error ? error.message : String(error)})`;
        },
      );
      total += content.length;
      parts.push(`=== ${nameIn(folder, path)} ===\n${content}`);
    }
    if (files.length === 0) return { text: "No files match.", isError: true };
    return { text: [...parts, ...notes].join("\n\n"), ...(failed === files.length && { isError: true }) };
  },
};

const isPattern = (path: string) => /[*?{[]/.test(path);

/** @returns the files, and what is to be said of patterns that stand for others, too, or for none */
async function expanded(
  paths: readonly string[],
  environment: ExecutionEnvironment,
  signal: AbortSignal,
): Promise<{ files: string[]; notes: string[] }> {
  const files = new Set<string>();
  const notes: string[] = [];
  for (const path of paths) {
    // A real name may look like a pattern: [id].ts
    if (!isPattern(path) || (await environment.fileExists(path))) files.add(path);
    else {
      const found = await environment.glob({ pattern: path, limit: maxFiles, signal });
      // A pattern that is not about keys does not mean them.
      const meant = found.paths.filter((name) => seeksSecrets(path) || !isSecretPath(name));
      for (const name of meant.toSorted()) files.add(name);
      if (found.truncated) notes.push(`(${path}: only the ${maxFiles} newest files that match)`);
      if (found.paths.length === 0) notes.push(`(${path}: no files match)`);
    }
  }
  return { files: [...files], notes };
}

/** @param isFound by a pattern, or called like one, and judged by its name: it is no way to a file of another name */
async function contentOf(path: string, environment: ExecutionEnvironment, isFound: boolean): Promise<string> {
  const options = { maxBytes, ...(isFound && { links: "refuse" as const }) };
  const { bytes, totalBytes } = await environment.readFile(path, options);
  const text = textOf(bytes, bytes.length < totalBytes);
  if (text === null) throw new Error(`it is not UTF-8 text${seemingText(bytes)}`);
  if (text === "") return "(empty)";
  const lines = linesOf(text);
  if (bytes.length === totalBytes) return lines.join("\n");
  return `${lines.join("\n")}\n(the first ${counted(bytes.length, "byte")} of ${grouped(totalBytes)}; read_file shows the rest)`;
}
