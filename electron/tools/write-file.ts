import { z } from "zod";
import type { ExecutionEnvironment, Tool } from "../agent/ports/ports.ts";
import { inTurn } from "./environment/in-turn.ts";
import {
  bytesOf,
  counted,
  type Encoding,
  encodingOf,
  lineEnding,
  linesOf,
  textOf,
  withoutMark,
} from "./environment/text-content.ts";
import { touchedPath } from "./environment/touched-path.ts";
import { readEditable } from "./patch/editable-file.ts";
import { additions, fileDiff } from "./patch/unified-diff.ts";

const input = z.object({
  path: z.string().min(1).describe("The file. Missing folders are created."),
  content: z.string().describe("The complete content of the file."),
});

export const writeFileTool: Tool<z.infer<typeof input>> = {
  name: "write_file",
  description:
    "Create a file, or replace everything in one that exists. To change part of a file, edit it instead. A file with CRLF line endings keeps them, unless content has some of its own.",
  input,
  effect: "write",
  touchedPaths: ({ path }) => [touchedPath(path)],
  withPaths: (call, of) => ({ ...call, path: of(call.path) }),
  describe: ({ path, content }) => additions(path, content),
  async preview({ path, content }, environment) {
    if (!(await environment.fileExists(path))) return additions(path, content);
    const { text: before } = await readEditable(path, environment);
    return fileDiff(path, before, inFormOf(before, content));
  },
  async run({ path, content }, context) {
    const { did, isKept } = await inTurn([path], context, () => write(path, content, context.environment));
    const size = counted(linesOf(content).length, "line");
    const form = isKept ? ", with the line endings and byte order mark that it had" : "";
    return { text: `${did} ${path} (${size}${form}).` };
  },
};

/** @returns what was done, and whether what is there now is not `content` to the byte */
async function write(
  path: string,
  content: string,
  environment: ExecutionEnvironment,
): Promise<{ did: "Replaced" | "Created"; isKept: boolean }> {
  const isThere = await environment.fileExists(path);
  const { before, encoding } = isThere ? await formOf(path, environment).catch(() => noForm) : noForm;
  const text = inFormOf(before, content);
  await environment.writeFile(path, bytesOf(text, encoding));
  return { did: isThere ? "Replaced" : "Created", isKept: text !== content };
}

/** So much of a large file tells its form. */
const formBytes = 1_000_000;

interface Form {
  /** Its beginning. */
  before: string;
  encoding: Encoding;
}

/** Of what is no text. */
const noForm: Form = { before: "", encoding: "utf-8" };

async function formOf(path: string, environment: ExecutionEnvironment): Promise<Form> {
  const { bytes, totalBytes } = await environment.readFile(path, { maxBytes: formBytes });
  const before = textOf(bytes, bytes.length < totalBytes);
  return before === null ? noForm : { before, encoding: encodingOf(bytes) };
}

/** With the byte order mark and the line ends of the file that it replaces: whoever read that saw neither. */
function inFormOf(before: string, content: string): string {
  if (content === "") return content;
  const mark = before.slice(0, before.length - withoutMark(before).length);
  const isWindows = lineEnding(before) === "\r\n" && !content.includes("\r");
  const text = isWindows ? content.replaceAll("\n", "\r\n") : content;
  return mark === "" ? text : mark + withoutMark(text);
}
