import { z } from "zod";
import { imageBlock } from "./images.ts";

/** What `@` puts beside a prompt: files of the working folder, and resources of MCP servers. */

/** Most things beside one prompt. */
export const maxAttachments = 20;
/** Of one thing, in UTF-16 units; a longer one is refused, not cut. */
export const maxAttachmentChars = 200_000;
/** Rows of the list to choose from. */
export const maxAttachmentChoices = 30;

/** A path relative to the working folder, or `@server:uri`. */
export const attachmentReference = z.string().min(1).max(4096);

export const attachmentChoice = z.object({
  reference: attachmentReference,
  /** For people: the path, or the resource's name. */
  label: z.string(),
  detail: z.string(),
});
export type AttachmentChoice = z.infer<typeof attachmentChoice>;

/** What was attached, as it was then: words and images of others, never instructions. */
export const attachment = z.object({
  from: z.string(),
  /** Of an image: what it is. */
  text: z.string(),
  images: z.array(imageBlock).optional(),
});
export type Attachment = z.infer<typeof attachment>;
