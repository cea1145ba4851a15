import {
  type Attachment,
  type AttachmentChoice,
  attachedReference,
  maxAttachmentChars,
} from "../../../shared/conversation/attachments.ts";
import type { IpcInput } from "../../../shared/ipc/ipc.ts";
import { isSecretPath } from "../../../shared/safety/secret-files.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import { wholeImageFacts } from "../../files/image-file.ts";
import { textOf } from "../../tools/environment/text-content.ts";
import {
  checkImage,
  type ImageLimits,
  imageAttachment,
  neitherTextNorImage,
  tooLong,
} from "./attachment-limits.ts";

export interface AttachedFilesOptions {
  store: Pick<SessionStore, "saveDraftFile" | "loadDraftFile">;
  settings(): ImageLimits;
  newId(): string;
}

/**
 * Files that the user pasted, dropped or picked, wherever they lie: they are read once, when they are attached, and what was
 * read then is what is sent. The store has them before they stand beside a draft.
 */
export class AttachedFiles {
  readonly #options: AttachedFilesOptions;

  constructor(options: AttachedFilesOptions) {
    this.#options = options;
  }

  /** @throws Error in words for the user: what is secret, too large, or neither text nor image @throws StoreError */
  add({ name, kind, bytes, thumbnail }: IpcInput<"attachment.add">): AttachmentChoice {
    const label = visibleText(name);
    if (isSecretPath(name)) {
      throw new Error(
        `${label} may hold keys or passwords, so it is not attached. Paste the part the model may see.`,
      );
    }
    const id = this.#options.newId();
    const read = this.#read(label, kind, bytes);
    const choice: AttachmentChoice = {
      reference: attachedReference(id),
      label,
      detail: "",
      file: {
        ...("images" in read
          ? { kind: "image", ...(thumbnail !== undefined && { thumbnail }) }
          : { kind: kind === "pasted" ? kind : "text", lines: lineCount(read.text) }),
        bytes: bytes.length,
      },
    };
    this.#options.store.saveDraftFile(id, { ...read, choice });
    return choice;
  }

  /** @throws Error in words for the user: it is no longer there @throws StoreError */
  read(id: string): Attachment {
    const file = this.#options.store.loadDraftFile(id);
    if (file) return file;
    throw new Error("An attached file is no longer available. Remove it and attach it again.");
  }

  #read(label: string, kind: IpcInput<"attachment.add">["kind"], bytes: Uint8Array) {
    const image = kind === "file" ? wholeImageFacts(bytes) : null;
    if (image) {
      checkImage(label, image, bytes.length, this.#options.settings());
      return { from: `image ${label}`, ...imageAttachment(image, bytes) };
    }
    const text = textOf(bytes);
    if (text === null) {
      throw new Error(
        `${neitherTextNorImage(label, bytes)} Attach its text, or a picture of it, or ask for it by its path.`,
      );
    }
    if (text.length > maxAttachmentChars) throw tooLong(label, text.length, "characters");
    return { from: kind === "pasted" ? "the user's paste" : `file ${label}`, text };
  }
}

/** A last line without an end counts, the nothing behind a last end does not. */
const lineCount = (text: string): number => text.split("\n").length - Number(text.endsWith("\n"));
