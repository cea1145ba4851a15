/** How a JPEG file's pixels are to be shown, as Exif counts it: 1 as they lie; 2 to 8 mirrored or turned. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const orientationTag = 0x0112;

/** What the file says in its Exif data (CIPA DC-008, 4.6); 1 where it says nothing that can be read. */
export function jpegOrientation(bytes: Uint8Array): Orientation {
  try {
    const exif = exifOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return exif ? orientationIn(exif) : 1;
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** The TIFF structure in the first APP1 segment that is Exif's. @throws RangeError where the file ends too soon */
function exifOf(view: DataView): DataView | null {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    // The image begins: nothing is said after it.
    if (marker === 0xda) return null;
    const isExif = marker === 0xe1 && view.getUint32(at + 4) === 0x45786966 && view.getUint16(at + 8) === 0;
    if (!isExif) continue;
    const from = at + 10;
    // No further than the file goes: what lies behind it in memory is something else.
    const length = Math.min(view.getUint16(at + 2) - 8, view.byteLength - from);
    return new DataView(view.buffer, view.byteOffset + from, length);
  }
  return null;
}

function orientationIn(tiff: DataView): Orientation {
  const isLittle = tiff.getUint16(0) === 0x4949;
  const folder = tiff.getUint32(4, isLittle);
  const entries = tiff.getUint16(folder, isLittle);
  for (let entry = 0; entry < entries; entry++) {
    const at = folder + 2 + 12 * entry;
    if (tiff.getUint16(at, isLittle) !== orientationTag) continue;
    const value = tiff.getUint16(at + 8, isLittle);
    return isOrientation(value) ? value : 1;
  }
  return 1;
}

const isOrientation = (value: number): value is Orientation => value >= 1 && value <= 8;
