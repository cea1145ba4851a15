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

/** As `imageFacts`, of a whole file: one that ends before its image does has no size either, and models refuse it. */
export function wholeImageFacts(bytes: Uint8Array): ImageFacts | null {
  const facts = imageFacts(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWhole = kinds.find(({ type }) => type === facts?.type)?.isWhole(view) ?? true;
  return facts && { ...facts, size: isWhole ? facts.size : null };
}

type Size = ImageFacts["size"];

interface Kind {
  type: ImageType;
  isIt(bytes: Uint8Array): boolean;
  /** @throws RangeError where the file ends too soon */
  size(view: DataView): Size;
  /** Whether its end is there, as far as the file's parts tell. */
  isWhole(view: DataView): boolean;
}

const says = (bytes: Uint8Array, at: number, text: string) =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString("latin1") === text;

const kinds: readonly Kind[] = [
  {
    type: "image/png",
    isIt: (bytes) => says(bytes, 0, "\u0089PNG\r\n\u001a\n"),
    size: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
    isWhole: hasPngEnd,
  },
  {
    type: "image/gif",
    isIt: (bytes) => says(bytes, 0, "GIF87a") || says(bytes, 0, "GIF89a"),
    size: (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
    isWhole: hasGifPicture,
  },
  {
    type: "image/jpeg",
    isIt: (bytes) => says(bytes, 0, "\u00ff\u00d8\u00ff"),
    size: jpegSize,
    isWhole: hasJpegEnd,
  },
  {
    type: "image/webp",
    isIt: (bytes) => says(bytes, 0, "RIFF") && says(bytes, 8, "WEBP"),
    size: webpSize,
    isWhole: (view) => view.byteLength >= 8 && view.byteLength >= 8 + view.getUint32(4, true),
  },
];

/** Each chunk says how long it is; the last one is empty. */
function hasPngEnd(view: DataView): boolean {
  let hasPixels = false;
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const type = view.getUint32(at + 4);
    hasPixels ||= type === 0x49444154;
    if (type === 0x49454e44) return hasPixels;
  }
  return false;
}

/** Its first picture to the end, which is all that models see. Each part is blocks that say how long they are, the last one 0. */
function hasGifPicture(view: DataView): boolean {
  const byte = (at: number) => (at < view.byteLength ? view.getUint8(at) : 0);
  const coloursAt = (at: number) => (byte(at) & 0x80 ? 3 << ((byte(at) & 7) + 1) : 0);
  const behindBlocks = (from: number) => {
    let at = from;
    while (byte(at) !== 0) at += 1 + byte(at);
    return at + 1;
  };
  for (let at = 13 + coloursAt(10); at < view.byteLength; at = behindBlocks(at + 2)) {
    if (byte(at) === 0x2c) return behindBlocks(at + 11 + coloursAt(at + 9)) <= view.byteLength;
    if (byte(at) !== 0x21) return false;
  }
  return false;
}

/** Behind the start of the pixels; a small picture in the head has an end of its own. In pixels neither stands by chance. */
function hasJpegEnd(view: DataView): boolean {
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  return bytes.lastIndexOf("\u00ff\u00d9", undefined, "latin1") > pixelsAt(view);
}

/** @returns where the first scan begins; infinite where the file ends before */
function pixelsAt(view: DataView): number {
  for (let at = 2; at + 4 <= view.byteLength; ) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xda) return at;
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return Number.POSITIVE_INFINITY;
}

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
