import { z } from "zod";
import type { Tool } from "../agent/ports/ports.ts";
import { counted, linesOf } from "./environment/text-content.ts";
import { touchedPath } from "./environment/touched-path.ts";
import { readEditable } from "./patch/editable-file.ts";
import { additions, fileDiff } from "./patch/unified-diff.ts";

const input = z.object({
  path: z.string().min(1).describe("File, relative to the working folder. Missing folders are made."),
  content: z.string().describe("The whole content of the file."),
});

export const writeFileTool: Tool<z.infer<typeof input>> = {
  name: "write_file",
  description:
    "Writes a whole file, new or in place of the one that is there. For changes to an existing file, edit it instead.",
  input,
  effect: "write",
  touchedPaths: ({ path }) => [touchedPath(path)],
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
