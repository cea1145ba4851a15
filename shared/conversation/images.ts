import { z } from "zod";

/** The kinds that every provider takes. */
export const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
/** Pixels of the longer side that models see; of a larger image they see no more, and it costs as much. */
export const modelImageSidePx = 1568;
export type ImageType = (typeof imageTypes)[number];

export const imageBlock = z.object({
  type: z.literal("image"),
  source: z.object({ type: z.literal("base64"), media_type: z.enum(imageTypes), data: z.string() }),
});
export type ImageBlock = z.infer<typeof imageBlock>;
