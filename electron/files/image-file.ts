import type { ImageType } from "../../shared/conversation/images.ts";

export interface ImageFacts {
  type: ImageType;
  /** In pixels; null where the file does not say it where it should. */
  size: { width: number; height: number } | null;
}

/** What a file's own bytes say that it is, whatever it is called. null: no image of a kind that models take. */
export function imageFacts(bytes: Uint8Array): ImageFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = kinds.find(({ isIt }) => isIt(bytes));
  if (!found) return null;
  try {
    return { type: found.type, size: found.size(view) };
  } catch (error) {
    // It ends before it says how large it is.
    if (error instanceof RangeError) return { type: found.type, size: null };
    throw error;
  }
}

type Size = ImageFacts["size"];

interface Kind {
  type: ImageType;
  isIt(bytes: Uint8Array): boolean;
  /** @throws RangeError where the file ends too soon */
  size(view: DataView): Size;
}

const says = (bytes: Uint8Array, at: number, text: string) =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString("latin1") === text;

const kinds: readonly Kind[] = [
  {
    type: "image/png",
    isIt: (bytes) => says(bytes, 0, "\u0089PNG\r\n\u001a\n"),
    size: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  },
  {
    type: "image/gif",
    isIt: (bytes) => says(bytes, 0, "GIF87a") || says(bytes, 0, "GIF89a"),
    size: (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  },
  { type: "image/jpeg", isIt: (bytes) => says(bytes, 0, "\u00ff\u00d8\u00ff"), size: jpegSize },
  {
    type: "image/webp",
    isIt: (bytes) => says(bytes, 0, "RIFF") && says(bytes, 8, "WEBP"),
    size: webpSize,
  },
];

/** In the first frame header; the segments before it say how long they are. */
function jpegSize(view: DataView): Size {
  for (let at = 2; ; ) {
    // Filling bytes may stand before a marker.
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
}

/** Three ways to write it: lossy, lossless and extended. */
function webpSize(view: DataView): Size {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  if (says(bytes, 12, "VP8 ")) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (says(bytes, 12, "VP8L")) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (!says(bytes, 12, "VP8X")) return null;
  const of24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
  return { width: of24(24), height: of24(27) };
}
