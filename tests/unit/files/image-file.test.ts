import { describe, expect, it } from "vitest";
import { imageFacts, wholeImageFacts } from "../../../electron/files/image-file.ts";
import { images, png } from "../../fixtures/images.ts";

const size = { width: 40, height: 30 };

describe("what an image's bytes say", () => {
  it.each([
    ["png", "image/png"],
    ["jpeg", "image/jpeg"],
    ["gif", "image/gif"],
    ["webpLossy", "image/webp"],
    ["webpLossless", "image/webp"],
    ["webpExtended", "image/webp"],
  ] as const)("of a %s", (kind, type) => {
    expect(imageFacts(images[kind])).toEqual({ type, size });
    // A part of a larger buffer.
    const inside = Buffer.concat([Buffer.from("abc"), images[kind]]).subarray(3);
    expect(imageFacts(inside)).toEqual({ type, size });
  });

  it("may be larger than a byte", () => {
    expect(imageFacts(png(9000, 2))?.size).toEqual({ width: 9000, height: 2 });
  });

  // Bug: a file that was cut threw, and a broken one looped.
  it.each(Object.entries(images))("of a %s that was cut anywhere is an answer", (_, whole) => {
    for (let length = 0; length < whole.length; length++) {
      const facts = imageFacts(whole.subarray(0, length));
      if (facts?.size) expect(facts.size).toEqual(size);
    }
    expect(imageFacts(Buffer.concat([whole.subarray(0, 3), Buffer.alloc(100)]))?.size ?? null).toBeNull();
  });

  it.each(Object.entries(images))("of a %s without its end is no size: models refuse it", (_, whole) => {
    expect(wholeImageFacts(whole)?.size).toEqual(size);
    expect(wholeImageFacts(Buffer.concat([whole, Buffer.from("more")]))?.size).toEqual(size);
    for (let length = 12; length < whole.length - 1; length++) {
      expect(wholeImageFacts(whole.subarray(0, length))?.size ?? null, `${length} bytes`).toBeNull();
    }
  });

  it("of a PNG without pixels is no size", () => {
    const { png: whole } = images;
    const [pixels, end] = [whole.indexOf("IDAT") - 4, whole.indexOf("IEND") - 4];
    const without = Buffer.concat([whole.subarray(0, pixels), whole.subarray(end)]);
    expect(wholeImageFacts(without)?.size).toBeNull();
  });

  it("of a GIF of several pictures is its size where the first is whole", () => {
    const { gif } = images;
    const [first, next] = [gif.indexOf(0x2c, 13), gif.length - 1];
    const two = Buffer.concat([gif.subarray(0, next), gif.subarray(first)]);
    expect(wholeImageFacts(two)?.size).toEqual(size);
    expect(wholeImageFacts(two.subarray(0, -4))?.size).toEqual(size);
    expect(wholeImageFacts(two.subarray(0, next - 2))?.size).toBeNull();
  });

  it("of other files is that they are none", () => {
    for (const text of ["", "plain text", "GIF", "<svg/>", "BM\0\0", "RIFF....WAVE"]) {
      expect(imageFacts(Buffer.from(text))).toBeNull();
    }
  });
});
