import { z } from "zod";
import {
  type AttachmentChoice,
  attachmentReference,
  maxAttachedFileBytes,
  maxAttachments,
  type OpenedAttachment,
  thumbnail,
} from "../conversation/attachments.ts";
import { answers, conversationId } from "./route-parts.ts";

/** A file as it is, at most `maxAttachedFileBytes`. */
const fileBytes = z.custom<Uint8Array>(
  (value) => value instanceof Uint8Array && value.byteLength <= maxAttachedFileBytes,
);

/** A screen or a window. */
export interface ScreenSource {
  id: string;
  name: string;
  kind: "screen" | "window";
  /** As a `data:` address; null: there is none. */
  picture: string | null;
}

export type ScreenList =
  | { kind: "choose"; sources: ScreenSource[] }
  /** null: the user changed their mind. */
  | { kind: "taken"; attached: AttachmentChoice | null };

/** What goes with a prompt: files, images, pictures of the screen. */
export const attachmentRoutes = {
  /** Files of the conversation's folder (without one: of a new one's) and resources of servers that `@` and these letters may mean. */
  "attachment.find": {
    input: z.object({ conversationId: conversationId.optional(), words: z.string().max(1000) }),
    ...answers<AttachmentChoice[]>(),
  },
  /** Keeps a file that the user pasted, dropped or picked, for a draft. Windows send bytes, never a path. */
  "attachment.add": {
    input: z.object({
      /** Without folders. */
      name: z
        .string()
        .min(1)
        .max(255)
        .regex(/^[^/\\]*$/),
      kind: z.enum(["file", "pasted"]),
      bytes: fileBytes,
      /** Of an image. */
      thumbnail: thumbnail.optional(),
    }),
    ...answers<AttachmentChoice>(),
  },
  /** One that is beside a draft, or the one at `place` beside a prompt that was sent. */
  "attachment.open": {
    input: z.union([
      z.object({ reference: attachmentReference }),
      z.object({ conversationId, messageId: z.string(), place: z.number().int().min(0).max(maxAttachments) }),
    ]),
    ...answers<OpenedAttachment>(),
  },
  /** What there is to take a picture of. Where the system asks the user itself, this answers with the picture taken. */
  "screen.list": { input: z.void(), ...answers<ScreenList>() },
  /** Takes a picture of a screen or a window, for a draft. */
  "screen.attach": { input: z.object({ id: z.string().min(1).max(200) }), ...answers<AttachmentChoice>() },
} as const;
