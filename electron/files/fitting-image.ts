import { type ImageType, modelImageSidePx } from "../../shared/conversation/images.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ImageFacts } from "./image-file.ts";

export interface SizedImage {
  type: ImageType;
  size: { width: number; height: number };
  bytes: Uint8Array;
}

/**
 * Writes an image anew, upright. @param to its longer side and its bytes at most, as far as that can be had
 * @returns null where it cannot be read
 */
export type ImageScaler = (image: SizedImage, to: { sidePx: number; maxBytes: number }) => SizedImage | null;

export type ImageLimits = Pick<Settings, "attachMaxImageBytes" | "attachMaxImageSidePx">;

/** Bytes: a file that is larger is not read to be made smaller. */
export const maxScaledFileBytes = 40_000_000;
/** Pixels in all: more takes too much memory. */
const maxScaledPixels = 120_000_000;

/** Whether models see all of it as it is. */
export function isFitting({ size }: ImageFacts, bytes: number, limits: ImageLimits): boolean {
  const sidePx = Math.min(modelImageSidePx, limits.attachMaxImageSidePx);
  return size !== null && Math.max(size.width, size.height) <= sidePx && bytes <= limits.attachMaxImageBytes;
}

/** An image as models take it: what is larger than they see is made smaller, where that is possible. */
export function fittingImage(
  { type, size }: ImageFacts,
  bytes: Uint8Array,
  limits: ImageLimits,
  scale: ImageScaler | undefined,
): { type: ImageType; size: ImageFacts["size"]; bytes: Uint8Array } {
  const asItIs = { type, size, bytes };
  if (!scale || !size || isFitting(asItIs, bytes.length, limits)) return asItIs;
  if (size.width * size.height > maxScaledPixels) return asItIs;
  const sidePx = Math.min(modelImageSidePx, limits.attachMaxImageSidePx);
  return scale({ type, size, bytes }, { sidePx, maxBytes: limits.attachMaxImageBytes }) ?? asItIs;
}
