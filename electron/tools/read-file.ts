import { z } from "zod";
import { grouped } from "../../shared/grouped.ts";
import type { ExecutionEnvironment, Tool, ToolContext, ToolOutput } from "../agent/ports/ports.ts";
import { fittingImage, type ImageScaler, maxScaledFileBytes } from "../files/fitting-image.ts";
import { type ImageFacts, imageFacts, wholeImageFacts } from "../files/image-file.ts";
import { counted, cutBefore, linesOf, seemingText, textOf } from "./environment/text-content.ts";
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
export const readFileTool = (scaleImage?: ImageScaler): Tool<z.infer<typeof input>> => ({
  name: "read_file",
  description:
    "Read a file. Each line of a text file comes with its number and an arrow, which are not part of the file. For a long file, use offset and limit. A PNG, JPEG, GIF or WebP file comes back as an image if you can see images.",
  input,
  effect: "read",
  touchedPaths: ({ path }) => [touchedPath(path)],
  withPaths: (call, of) => ({ ...call, path: of(call.path) }),
  async run({ path, offset, limit }, context) {
    const { environment } = context;
    const { bytes, totalBytes } = await environment.readFile(path, { maxBytes });
    const cut = bytes.length < totalBytes;
    const text = textOf(bytes, cut);
    if (text === null) {
      const image = imageFacts(bytes);
      if (image) {
        const mayShrink = scaleImage && cut && totalBytes <= maxScaledFileBytes;
        const read = mayShrink ? await environment.readFile(path, { maxBytes: totalBytes }) : null;
        return shownImage(path, image, read ?? { bytes, totalBytes }, context, scaleImage);
      }
      const what = `${path} (${grouped(totalBytes)} bytes) is not UTF-8 text`;
      return failure(`${what}${seemingText(bytes)}. It cannot be shown.`);
    }
    const lines = cut ? wholeLines(text) : linesOf(text);
    const total = counted(lines.length, "line");
    const known = `only the first ${grouped(bytes.length)} of ${grouped(totalBytes)} bytes, ${total}, can be read`;
    if (lines.length === 0) return { text: `${path} is empty.` };
    if (offset > lines.length) return failure(cut ? `${path}: ${known}.` : `${path} has only ${total}.`);
    const shown = lines.slice(offset - 1, offset - 1 + limit);
    const numbered = shown.map((line, index) => `${String(offset + index).padStart(6)}→${bounded(line)}`);
    const last = offset + shown.length - 1;
    const notes = cut ? [known] : [];
    if (last < lines.length) {
      const all = cut ? "" : ` of ${grouped(lines.length)}`;
      notes.unshift(`lines ${grouped(offset)}–${grouped(last)}${all}; read on with offset ${last + 1}`);
    }
    if (notes.length > 0) numbered.push(`(${notes.join("; ")})`);
    return { text: numbered.join("\n") };
  },
});

/** An image that the model's API refuses would be refused again with every later request. */
function shownImage(
  path: string,
  image: ImageFacts,
  { bytes: read, totalBytes }: Awaited<ReturnType<ExecutionEnvironment["readFile"]>>,
  { seesImages = false, settings }: ToolContext,
  scaleImage: ImageScaler | undefined,
): ToolOutput {
  const { type, size } = image;
  const kind = type.replace("image/", "").toUpperCase();
  const what = `${path} is an image (${kind}, ${size ? `${size.width} × ${size.height} pixels, ` : ""}${grouped(totalBytes)} bytes)`;
  if (!seesImages) return failure(`${what}. You cannot see images, so it is not shown.`);
  const { attachMaxImageBytes: mostBytes, attachMaxImageSidePx: mostSide } = settings;
  const isWhole = read.length === totalBytes;
  const isCutOff = isWhole && wholeImageFacts(read)?.size === null;
  if (!size || size.width === 0 || size.height === 0 || isCutOff)
    return failure(`${what}, but it is damaged.`);
  const shown = fittingImage(image, read, settings, isWhole ? scaleImage : undefined);
  if (shown.bytes.length > mostBytes || !isWhole) {
    return failure(
      `${what}. Images of more than ${grouped(mostBytes)} bytes are not shown: make it smaller first.`,
    );
  }
  const seen = shown.size ?? size;
  if (Math.max(seen.width, seen.height) > mostSide) {
    return failure(
      `${what}. Images of more than ${mostSide} pixels on a side are not shown: make it smaller first.`,
    );
  }
  const smaller = seen.width < size.width ? ` You see it at ${seen.width} × ${seen.height}.` : "";
  const data = Buffer.from(shown.bytes).toString("base64");
  return {
    text: `${what}.${smaller}`,
    images: [{ type: "image", source: { type: "base64", media_type: shown.type, data } }],
  };
}

/** Without the line that was cut; a text of one line is the beginning of that. */
function wholeLines(text: string): string[] {
  const lines = linesOf(text);
  return lines.length === 1 || text.endsWith("\n") ? lines : lines.slice(0, -1);
}

const failure = (text: string): ToolOutput => ({ text, isError: true });

function bounded(line: string): string {
  if (line.length <= maxLineChars) return line;
  return `${line.slice(0, cutBefore(line, maxLineChars))}… (${grouped(line.length - maxLineChars)} more characters)`;
}
