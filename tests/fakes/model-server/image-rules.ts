import { z } from "zod";
import { imageFacts } from "../../../electron/files/image-file.ts";
import { type ImageType, imageTypes } from "../../../shared/conversation/images.ts";

/** Most that the Messages API takes of one image. */
const maxBytes = 5_000_000;
/** More images than these, and none of them may have a longer side. */
const few = 20;
const sideOfManyPx = 2000;

const imageData = z
  .base64()
  .min(1)
  .max(Math.ceil(maxBytes / 3) * 4);
const imageType = z.enum(imageTypes);

const beginnings: Record<ImageType, string> = {
  "image/png": "\u0089PNG\r\n",
  "image/jpeg": "\u00ff\u00d8\u00ff",
  "image/gif": "GIF8",
  "image/webp": "RIFF",
};

/** Base64 of an image of a kind and a size that every API takes, which is what it is called. */
function isImage(type: unknown, data: unknown): boolean {
  const [kind, base64] = [imageType.safeParse(type), imageData.safeParse(data)];
  if (!kind.success || !base64.success) return false;
  return Buffer.from(base64.data, "base64").toString("latin1").startsWith(beginnings[kind.data]);
}

/** As Chat Completions take one. */
export const imageAddress = z.string().refine((url) => {
  const [, type, data] = /^data:([^;]+);base64,(.*)$/s.exec(url) ?? [];
  return isImage(type, data);
}, "no address of an image that the API takes");

/** As Gemini takes one. */
export const inlineImage = z
  .strictObject({ mimeType: imageType, data: imageData })
  .refine(({ mimeType, data }) => isImage(mimeType, data), "no image of this type");

/** As the Messages API takes one. */
export const imageBlockRule = z.strictObject({
  type: z.literal("image"),
  source: z
    .strictObject({ type: z.literal("base64"), media_type: imageType, data: imageData })
    .refine(({ media_type, data }) => isImage(media_type, data), "no image of this media type"),
  cache_control: z.unknown().optional(),
});

/** What the Messages API says of all images of a request together. */
export function checkMany(images: readonly z.infer<typeof imageBlockRule>[]): string[] {
  if (images.length <= few) return [];
  const large = images.filter(({ source }) => {
    const { width, height } = imageFacts(Buffer.from(source.data, "base64"))?.size ?? { width: 0, height: 0 };
    return Math.max(width, height) > sideOfManyPx;
  });
  const limit = `image dimensions exceed max allowed size for many-image requests: ${sideOfManyPx} pixels`;
  return large.length === 0 ? [] : [limit];
}
