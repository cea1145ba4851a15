import { imageTypes, modelImageSidePx } from "../../../shared/conversation/images.ts";

/** Longer side of the small picture for people, in pixels. */
const thumbnailSidePx = 96;
/** Bytes: an image that is larger is written anew, as JPEG where PNG does not make it smaller. */
const maxBytes = 3_500_000;

export interface ScaledImage {
  bytes: Uint8Array;
  thumbnail: string;
}

/**
 * An image as models take it: of a kind that they know, its longer side as long as they see it. What is so already stays as
 * it is. @throws Error where it cannot be read as an image
 */
export async function scaledImage(file: Blob): Promise<ScaledImage> {
  const image = await createImageBitmap(file);
  try {
    const thumbnail = await dataUrl(await drawn(image, thumbnailSidePx, "image/webp"));
    return { bytes: new Uint8Array(await (await fitting(file, image)).arrayBuffer()), thumbnail };
  } finally {
    image.close();
  }
}

async function fitting(file: Blob, image: ImageBitmap): Promise<Blob> {
  const isKnown = imageTypes.some((type) => type === file.type);
  const isSmall = Math.max(image.width, image.height) <= modelImageSidePx;
  if (isKnown && isSmall && file.size <= maxBytes) return file;
  const written = await drawn(image, modelImageSidePx, file.type === "image/jpeg" ? file.type : "image/png");
  return written.size <= maxBytes ? written : await drawn(image, modelImageSidePx, "image/jpeg");
}

/** @param sidePx of the longer side at most */
async function drawn(image: ImageBitmap, sidePx: number, type: string): Promise<Blob> {
  const scale = Math.min(1, sidePx / Math.max(image.width, image.height));
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("No canvas to draw on.");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, width, height);
  return await canvas.convertToBlob({ type, quality: 0.9 });
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => (typeof reader.result === "string" ? done(reader.result) : fail(reader.error));
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(blob);
  });
}
