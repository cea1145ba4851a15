import { z } from "zod";
import { imageTypes } from "../../../shared/conversation/images.ts";

/** Most that the Messages API takes of one image. */
const maxBytes = 5_000_000;

/** Base64 of an image of a kind and a size that every API takes. */
export const imageData = z
  .base64()
  .min(1)
  .max(Math.ceil(maxBytes / 3) * 4);
export const imageType = z.enum(imageTypes);

/** As Chat Completions take one. */
export const imageAddress = z.string().refine((url) => {
  const [, type, data] = /^data:([^;]+);base64,(.*)$/s.exec(url) ?? [];
  return imageType.safeParse(type).success && imageData.safeParse(data).success;
}, "no address of an image that the API takes");

/** As the Messages API takes one. */
export const imageBlockRule = z.strictObject({
  type: z.literal("image"),
  source: z.strictObject({ type: z.literal("base64"), media_type: imageType, data: imageData }),
  cache_control: z.unknown().optional(),
});
