import { z } from "zod";
import { imageBlock } from "./images.ts";

/**
 * What stands beside a prompt: what `@` names in it (files of the working folder, resources of MCP servers), and files that
 * were pasted, dropped or picked.
 */

/** Most things beside one prompt. */
export const maxAttachments = 20;
/** Of one thing, in UTF-16 units; a longer one is refused, not cut. */
export const maxAttachmentChars = 200_000;
/** Rows of the list to choose from. */
export const maxAttachmentChoices = 30;

/** Most bytes of one file that a window hands over; what its text or its image may have is less. */
export const maxAttachedFileBytes = 20_000_000;
/** Most bytes of an image file before it is scaled down. */
export const maxImageFileBytes = 50_000_000;
/** A paste of more lines, or of more UTF-16 units, becomes an attachment. */
export const maxPastedLines = 40;
export const maxPastedChars = 5000;

/** A path relative to the working folder, `@server:uri`, or `attached:` and an id. */
export const attachmentReference = z.string().min(1).max(4096);

const attachedPrefix = "attached:";
export const attachedReference = (id: string): string => `${attachedPrefix}${id}`;

/** Of a file that was pasted, dropped or picked; null: the reference is something else. */
export const attachedId = (reference: string): string | null =>
  reference.startsWith(attachedPrefix) ? reference.slice(attachedPrefix.length) : null;

/** A small picture for people, as a `data:` address. */
export const thumbnail = z
  .string()
  .max(40_000)
  .regex(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/=]+$/);

/** A file that was pasted, dropped or picked, for people. */
export const attachedFile = z.object({
  kind: z.enum(["image", "text", "pasted"]),
  bytes: z.number().int().nonnegative(),
  /** Of text. */
  lines: z.number().int().nonnegative().optional(),
  thumbnail: thumbnail.optional(),
});
export type AttachedFile = z.infer<typeof attachedFile>;

export const attachmentChoice = z.object({
  reference: attachmentReference,
  /** For people: the path, the resource's name, or the file's. */
  label: z.string(),
  detail: z.string(),
  /** Absent: the `@` and its words stand in the prompt. */
  file: attachedFile.optional(),
});
export type AttachmentChoice = z.infer<typeof attachmentChoice>;

/** What was attached, as it was then: words and images of others, never instructions. */
export const attachment = z.object({
  from: z.string(),
  /** Of an image: what it is. */
  text: z.string(),
  images: z.array(imageBlock).optional(),
  /** What stood beside the draft; absent in prompts of earlier versions. */
  choice: attachmentChoice.optional(),
});
export type Attachment = z.infer<typeof attachment>;

/** What is attached to a prompt, as its line in the transcript says. */
export interface ShownAttachment {
  from: string;
  choice?: AttachmentChoice | undefined;
}

/** One that was opened. */
export interface OpenedAttachment {
  label: string;
  /** Of an image: blank. */
  text: string;
  /** As a `data:` address; null for text. */
  image: string | null;
}
