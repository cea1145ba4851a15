import { relative, resolve } from "node:path";
import {
  type Attachment,
  type AttachmentChoice,
  attachedId,
  maxAttachmentChars,
  maxAttachmentChoices,
} from "../../../shared/conversation/attachments.ts";
import type { ImageBlock } from "../../../shared/conversation/images.ts";
import { isSecretPath } from "../../../shared/safety/secret-files.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import type { ExecutionEnvironment } from "../../agent/ports/ports.ts";
import { fittingImage, type ImageScaler, isFitting, maxScaledFileBytes } from "../../files/fitting-image.ts";
import { imageFacts, wholeImageFacts } from "../../files/image-file.ts";
import type { McpManager } from "../../mcp/manager.ts";
import { listResources, readResource } from "../../mcp/tools/resources.ts";
import { realPath } from "../../permissions/real-path.ts";
import { counted, textOf } from "../../tools/environment/text-content.ts";
import type { AttachedFiles } from "./attached-files.ts";
import {
  checkImage,
  type ImageLimits,
  imageAttachment,
  neitherTextNorImage,
  tooLong,
} from "./attachment-limits.ts";

export interface FileAttachmentsOptions {
  /** @throws EnvironmentError when it is not there */
  openFolder(folder: string): Promise<Pick<ExecutionEnvironment, "glob" | "readFile" | "workingDirectory">>;
  servers: McpManager;
  settings(): ImageLimits;
  /** Files that were pasted, dropped or picked. */
  attached: Pick<AttachedFiles, "read">;
  /** Makes smaller what models do not see as large as it is. Not said: it stays as it is. */
  scaleImage?: ImageScaler;
  /** What the next run asks. */
  model(): { modelLabel: string; takesImages: boolean };
}

/** Milliseconds: the list must come while one types; what is read may come from far away. */
const findTimeout = 2000;
const readTimeout = 30_000;
/** In UTF-8 a UTF-16 unit takes at most so many bytes. */
const bytesPerChar = 3;

/** Finds and reads what stands beside a prompt. */
export class FileAttachments {
  readonly #options: FileAttachmentsOptions;

  constructor(options: FileAttachmentsOptions) {
    this.#options = options;
  }

  /**
   * @param words the letters after the `@`
   * @param signal when it aborts, what was found until then is the answer
   * @returns files first, the newest on top; what cannot be had in time is left out
   */
  async find(
    folder: string,
    words: string,
    signal = AbortSignal.timeout(findTimeout),
  ): Promise<AttachmentChoice[]> {
    // The composer's Enter waits for the list: a folder on a disk that is away must not hold it up.
    const late = new Promise<[]>((done) => signal.addEventListener("abort", () => done([]), { once: true }));
    const inTime = (choices: Promise<AttachmentChoice[]>) => Promise.race([choices, late]).catch(() => []);
    const [files, resources] = await Promise.all([
      inTime(this.#files(folder, words, signal)),
      inTime(this.#resources(folder, words, signal)),
    ]);
    // Neither crowds out the other.
    const places = maxAttachmentChoices - Math.min(resources.length, maxAttachmentChoices / 2);
    return [...files.slice(0, places), ...resources].slice(0, maxAttachmentChoices);
  }

  /** @throws Error in words for the user: what is secret, outside, too large, or neither text nor image */
  async read(
    folder: string,
    references: readonly string[],
    model = this.#options.model(),
  ): Promise<Attachment[]> {
    const signal = AbortSignal.timeout(readTimeout);
    const all = await Promise.all(
      [...new Set(references)].map(async (reference) => {
        const id = attachedId(reference);
        if (id !== null) return this.#options.attached.read(id);
        const read = reference.startsWith("@")
          ? await readResource(this.#options.servers, reference, signal, folder)
          : await this.#file(folder, reference);
        if (read.text.length > maxAttachmentChars) throw tooLong(reference, read.text.length, "characters");
        return { ...read, choice: choiceOf(reference) };
      }),
    );
    this.#checkImages(
      all.flatMap(({ images = [] }) => images),
      model,
    );
    return all;
  }

  #checkImages(
    images: readonly ImageBlock[],
    { modelLabel, takesImages }: ReturnType<FileAttachmentsOptions["model"]>,
  ): void {
    if (images.length === 0) return;
    if (!takesImages) {
      throw new Error(
        `${modelLabel} can't take images. Choose a model that can (\`/model\`), or remove the image.`,
      );
    }
    const most = this.#options.settings().attachMaxImages;
    if (images.length > most) {
      throw new Error(
        `${counted(images.length, "image")} are attached, but one prompt can have at most ${most} (\`attachMaxImages\`).`,
      );
    }
  }

  async #files(folder: string, words: string, signal: AbortSignal): Promise<AttachmentChoice[]> {
    const environment = await this.#open(folder);
    const pattern = patternFor(words);
    const { paths } = await environment.glob({ pattern, limit: 4 * maxAttachmentChoices, signal });
    return paths
      .filter((path) => !isSecretPath(path))
      .map((path) => ({
        reference: path.startsWith("@") || attachedId(path) !== null ? `./${path}` : path,
        label: visibleText(path),
        detail: imageName.test(path) ? "image" : "file",
      }));
  }

  async #resources(folder: string, words: string, signal: AbortSignal): Promise<AttachmentChoice[]> {
    const typed = words.toLowerCase();
    const listed = await listResources(this.#options.servers, signal, folder);
    return listed
      .filter(({ reference, name }) => `${reference} ${name}`.toLowerCase().includes(typed))
      .map(({ reference, name, description }) => ({
        reference,
        label: visibleText(name),
        detail: visibleText(`${reference}${description === undefined ? "" : ` · ${description}`}`).slice(
          0,
          300,
        ),
      }));
  }

  /** @param folder of a conversation: where a link was put in its place, it is not there */
  async #open(folder: string) {
    const environment = await this.#options.openFolder(folder);
    if (environment.workingDirectory === folder) return environment;
    throw new Error(`${folder} is a link to another folder now.`);
  }

  async #file(folder: string, path: string): Promise<Attachment> {
    const environment = await this.#open(folder);
    const { workingDirectory } = environment;
    const found = realPath(path, workingDirectory);
    if (!found?.isInside)
      throw new Error(`${path} is not in the working folder. Only files in it can be attached.`);
    // By its own name and by that of what it leads to.
    if (isSecretPath(resolve(folder, path)) || isSecretPath(found.real)) {
      throw new Error(
        `${path} may hold keys or passwords, so it is not attached. Paste the part the model may see.`,
      );
    }
    // What was judged is read, whatever stands at `path` by now.
    const real = relative(workingDirectory, found.real);
    const read = (maxBytes: number) => environment.readFile(real, { maxBytes, links: "refuse" });
    const { bytes, totalBytes } = await read(maxAttachmentChars * bytesPerChar);
    const image = imageFacts(bytes);
    if (image) {
      const limits = this.#options.settings();
      const { scaleImage } = this.#options;
      const mayShrink =
        scaleImage && totalBytes <= maxScaledFileBytes && !isFitting(image, totalBytes, limits);
      if (!mayShrink) checkImage(path, image, totalBytes, limits);
      const whole = await read(totalBytes);
      const shown = fittingImage(wholeImageFacts(whole.bytes) ?? image, whole.bytes, limits, scaleImage);
      checkImage(path, shown, shown.bytes.length, limits);
      return { from: `image ${path}`, ...imageAttachment(shown, shown.bytes, image.size) };
    }
    if (totalBytes > bytes.length) throw tooLong(path, totalBytes, "bytes");
    const text = textOf(bytes);
    if (text === null) {
      throw new Error(neitherTextNorImage(path, bytes));
    }
    return { from: `file ${path}`, text };
  }
}

/** As a draft has it again after a rewind. */
const choiceOf = (reference: string): AttachmentChoice => ({
  reference,
  label: visibleText(reference),
  detail: "",
});

const imageName = /\.(png|jpe?g|gif|webp)$/i;

/** Files whose path holds the letters, in any case; `/` stands between folders. Nothing typed: what lies in the folder itself. */
function patternFor(words: string): string {
  if (words === "") return "*";
  const parts = words
    .normalize("NFC")
    .split(/[\\/]+/)
    .filter((part) => part !== "" && !/^\.+$/.test(part));
  return `**/${parts.map((part) => `*${[...part].map(anyCase).join("")}*`).join("/") || "*"}`;
}

function anyCase(letter: string): string {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  // Letters with accents may be several signs on the disk: alternatives, as these are not one in brackets.
  if (lower !== upper && lower.normalize("NFD") !== lower) return `{${lower},${upper}}`;
  if (lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`;
  // Signs of patterns stand for themselves.
  return /[\p{L}\p{N} _.-]/u.test(letter) ? letter : "?";
}
