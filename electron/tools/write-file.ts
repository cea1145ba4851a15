import { z } from "zod";
import type { Tool } from "../agent/ports/ports.ts";
import { fromFolder } from "./environment/from-folder.ts";
import { counted, linesOf } from "./environment/text-content.ts";
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
    "Create a file, or replace everything in one that exists. To change part of a file, edit it instead.",
  input,
  effect: "write",
  touchedPaths: ({ path }) => [touchedPath(path)],
  inFolder: ({ path, ...rest }, folder) => ({ ...rest, path: fromFolder(folder, path) }),
  describe: ({ path, content }) => additions(path, content),
  async preview({ path, content }, environment) {
    if (!(await environment.fileExists(path))) return additions(path, content);
    return fileDiff(path, await readEditable(path, environment), content);
  },
  async run({ path, content }, { environment }) {
    const replaced = await environment.fileExists(path);
    await environment.writeFile(path, Buffer.from(content, "utf8"));
    const size = counted(linesOf(content).length, "line");
    return { text: `${replaced ? "Replaced" : "Created"} ${path} (${size}).` };
  },
};
