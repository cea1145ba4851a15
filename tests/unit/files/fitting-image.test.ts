import { expect, test } from "vitest";
import { fittingImage, type ImageScaler } from "../../../electron/files/fitting-image.ts";
import { imageFacts } from "../../../electron/files/image-file.ts";
import { jpegOrientation } from "../../../electron/files/jpeg-orientation.ts";
import { images, png } from "../../fixtures/images.ts";

const limits = { attachMaxImageBytes: 1000, attachMaxImageSidePx: 8000 };
/** What it was asked for. */
function scaler() {
  const asked: Parameters<ImageScaler>[1][] = [];
  const scale: ImageScaler = ({ type }, to) => {
    asked.push(to);
    return { type, size: { width: 1, height: 1 }, bytes: new Uint8Array(1) };
  };
  return { asked, scale };
}
const factsOf = (bytes: Uint8Array) => imageFacts(bytes) ?? expect.fail("no image");

test("an image that models see whole stays as it is", () => {
  const { asked, scale } = scaler();
  const bytes = png(1568, 2);
  expect(fittingImage(factsOf(bytes), bytes, limits, scale).bytes).toBe(bytes);
  expect(asked).toEqual([]);
});

test.each([
  ["one side is longer than they see", png(2, 1569), limits, { sidePx: 1568, maxBytes: 1000 }],
  ["it has more bytes", png(2, 2), { ...limits, attachMaxImageBytes: 10 }, { sidePx: 1568, maxBytes: 10 }],
  [
    "the settings want less",
    png(40, 2),
    { ...limits, attachMaxImageSidePx: 39 },
    { sidePx: 39, maxBytes: 1000 },
  ],
])("is made smaller where %s", (_, bytes, limits, wanted) => {
  const { asked, scale } = scaler();
  expect(fittingImage(factsOf(bytes), bytes, limits, scale).size).toEqual({ width: 1, height: 1 });
  expect(asked).toEqual([wanted]);
});

test("stays as it is where it would take too much memory, cannot be read, or nothing can scale", () => {
  const { asked, scale } = scaler();
  const large = { type: "image/png", size: { width: 30_000, height: 30_000 } } as const;
  const bytes = png(2, 2);
  expect(fittingImage(large, bytes, limits, scale).bytes).toBe(bytes);
  expect(fittingImage({ ...large, size: null }, bytes, limits, scale).bytes).toBe(bytes);
  expect(asked).toEqual([]);
  const wide = png(1569, 2);
  expect(fittingImage(factsOf(wide), wide, limits, undefined).bytes).toBe(wide);
  expect(fittingImage(factsOf(wide), wide, limits, () => null).bytes).toBe(wide);
});

/** A TIFF structure with one entry: the orientation. */
const tiff = (order: "4d4d" | "4949", value: number) => {
  const [two, four] =
    order === "4949"
      ? (["writeUInt16LE", "writeUInt32LE"] as const)
      : (["writeUInt16BE", "writeUInt32BE"] as const);
  const bytes = Buffer.alloc(26);
  bytes.write(order, 0, "hex");
  bytes[two](42, 2);
  bytes[four](8, 4);
  bytes[two](1, 8);
  bytes[two](0x0112, 10);
  bytes[two](3, 12);
  bytes[four](1, 14);
  bytes[two](value, 18);
  return bytes;
};
const withExif = (tiff: Buffer, before: Uint8Array = Buffer.alloc(0)) => {
  const content = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, content.length + 2]);
  return Buffer.concat([images.jpeg.subarray(0, 2), before, head, content, images.jpeg.subarray(2)]);
};
/** JFIF's own segment, which stands first in many files. */
const jfif = images.jpeg.subarray(2, 20);

test.each([
  ["says nothing", images.jpeg, 1],
  ["has big-endian data", withExif(tiff("4d4d", 6)), 6],
  ["has little-endian data", withExif(tiff("4949", 8)), 8],
  ["has another segment before", withExif(tiff("4949", 3), jfif), 3],
  ["says what there is not", withExif(tiff("4d4d", 9)), 1],
  ["is cut in the middle of it", withExif(tiff("4d4d", 6)).subarray(0, 30), 1],
  ["points beyond its data", withExif(Buffer.from("4d4d002a7fffffff", "hex")), 1],
  ["is no JPEG", images.png, 1],
])("the orientation of a file that %s", (_, bytes: Uint8Array, orientation) => {
  expect(jpegOrientation(bytes)).toBe(orientation);
});
