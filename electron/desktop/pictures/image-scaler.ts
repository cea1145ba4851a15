import { type NativeImage, nativeImage } from "electron";
import type { ImageScaler } from "../../files/fitting-image.ts";
import { jpegOrientation, type Orientation } from "../../files/jpeg-orientation.ts";

/** Of JPEG, out of 100. */
const quality = 90;

/** By Chromium's own decoders, which main has for PNG and JPEG alone. */
export const imageScaler: ImageScaler = ({ type, bytes }, { sidePx, maxBytes }) => {
  if (type !== "image/png" && type !== "image/jpeg") return null;
  const whole = nativeImage.createFromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (whole.isEmpty()) return null;
  const { width, height } = whole.getSize();
  const scale = Math.min(1, sidePx / Math.max(width, height));
  const small = whole.resize({
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    quality: "best",
  });
  const upright = type === "image/jpeg" ? turned(small, jpegOrientation(bytes)) : small;
  const size = upright.getSize();
  const png = type === "image/png" ? upright.toPNG() : null;
  // A picture with many colours is smaller as JPEG.
  if (png && png.length <= maxBytes) return { type, size, bytes: png };
  return { type: "image/jpeg", size, bytes: upright.toJPEG(quality) };
};

/** What a camera wrote beside the pixels is lost when they are written anew: they are put as they are to be seen. */
function turned(image: NativeImage, orientation: Orientation): NativeImage {
  if (orientation === 1) return image;
  const { width, height } = image.getSize();
  const bitmap = image.toBitmap();
  const from = new Uint32Array(new Uint8Array(bitmap).buffer, 0, width * height);
  const [wide, high] = orientation >= 5 ? [height, width] : [width, height];
  const to = new Uint32Array(wide * high);
  const { start, perX, perY } = stepsOf(orientation, width, height);
  for (let y = 0, at = 0; y < high; y++)
    for (let x = 0; x < wide; x++) to[at++] = from[start + x * perX + y * perY] ?? 0;
  return nativeImage.createFromBitmap(Buffer.from(to.buffer), { width: wide, height: high });
}

/** Which pixel is seen first, and how far away lie the one to its right and the one below. */
function stepsOf(orientation: Orientation, width: number, height: number) {
  const right = width - 1;
  const bottom = (height - 1) * width;
  const steps: Record<Orientation, [start: number, perX: number, perY: number]> = {
    1: [0, 1, width],
    2: [right, -1, width],
    3: [bottom + right, -1, -width],
    4: [bottom, 1, -width],
    5: [0, width, 1],
    6: [bottom, -width, 1],
    7: [bottom + right, -width, -1],
    8: [right, width, -1],
  };
  const [start, perX, perY] = steps[orientation];
  return { start, perX, perY };
}
