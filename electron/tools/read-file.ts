import { z } from "zod";
import { grouped } from "../../shared/grouped.ts";
import type { ExecutionEnvironment, Tool, ToolContext, ToolOutput } from "../agent/ports/ports.ts";
import { type ImageFacts, imageFacts } from "../files/image-file.ts";
import { fromFolder } from "./environment/from-folder.ts";
import { counted, cutBefore, linesOf, textOf } from "./environment/text-content.ts";
import { touchedPath } from "./environment/touched-path.ts";

const maxBytes = 10_000_000;
const maxLineChars = 2000;
const defaultLines = 2000;

const input = z.object({
  path: z.string().min(1).describe("The file."),
  offset: z.number().int().min(1).default(1).describe("The first line to show, counted from 1."),
  limit: z.number().int().min(1).max(10_000).default(defaultLines).describe("How many lines to show."),
});

/** Lines with their numbers, `     1→text`, and how to read on where some are left; an image as an image. */
export const readFileTool: Tool<z.infer<typeof input>> = {
  name: "read_file",
  description:
    "Read a file. Each line of a text file comes with its number and an arrow, which are not part of the file. For a long file, use offset and limit. A PNG, JPEG, GIF or WebP file comes back as an image if you can see images.",
  input,
  effect: "read",
  touchedPaths: ({ path }) => [touchedPath(path)],
  inFolder: ({ path, ...rest }, folder) => ({ ...rest, path: fromFolder(folder, path) }),
  async run({ path, offset, limit }, context) {
    const { environment } = context;
    const { bytes, totalBytes } = await environment.readFile(path, { maxBytes });
    const cut = bytes.length < totalBytes;
    const text = textOf(bytes, cut);
    if (text === null) {
      const image = imageFacts(bytes);
      if (image) return await shownImage(path, image, { bytes, totalBytes }, context);
      return failure(`${path} is not text (${grouped(totalBytes)} bytes), so it cannot be shown.`);
    }
    const lines = linesOf(text);
    if (lines.length === 0) return { text: `${path} is empty.` };
    if (offset > lines.length) return failure(`${path} has only ${counted(lines.length, "line")}.`);
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

/** An image that the model's API refuses would be refused again with every later request. */
async function shownImage(
  path: string,
  { type, size }: ImageFacts,
  { bytes, totalBytes }: Awaited<ReturnType<ExecutionEnvironment["readFile"]>>,
  { seesImages = false, settings }: ToolContext,
): Promise<ToolOutput> {
  const kind = type.replace("image/", "").toUpperCase();
  const what = `${path} is an image (${kind}, ${size ? `${size.width} × ${size.height} pixels, ` : ""}${grouped(totalBytes)} bytes)`;
  if (!seesImages) return failure(`${what}. You cannot see images, so it is not shown.`);
  const { attachMaxImageBytes: mostBytes, attachMaxImageSidePx: mostSide } = settings;
  if (!size || size.width === 0 || size.height === 0) return failure(`${what}, but it is damaged.`);
  if (totalBytes > mostBytes || bytes.length < totalBytes) {
    return failure(
      `${what}. Images of more than ${grouped(mostBytes)} bytes are not shown: make it smaller first.`,
    );
  }
  if (Math.max(size.width, size.height) > mostSide) {
    return failure(
      `${what}. Images of more than ${mostSide} pixels on a side are not shown: make it smaller first.`,
    );
  }
  const data = Buffer.from(bytes).toString("base64");
  return {
    text: `${what}.`,
    images: [{ type: "image", source: { type: "base64", media_type: type, data } }],
  };
}

const failure = (text: string): ToolOutput => ({ text, isError: true });

function bounded(line: string): string {
  if (line.length <= maxLineChars) return line;
  return `${line.slice(0, cutBefore(line, maxLineChars))}… (${grouped(line.length - maxLineChars)} more characters)`;
}
