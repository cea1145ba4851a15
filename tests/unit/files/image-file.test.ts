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

  it.each(Object.entries(images))("of a %s without its end is no size: models refuse it", (kind, whole) => {
    expect(wholeImageFacts(whole)?.size).toEqual(size);
    expect(wholeImageFacts(Buffer.concat([whole, Buffer.from("more")]))?.size).toEqual(size);
    if (kind === "gif") return;
    for (let length = 12; length < whole.length - 1; length++) {
      expect(wholeImageFacts(whole.subarray(0, length))?.size ?? null, `${length} bytes`).toBeNull();
    }
  });

  it("of other files is that they are none", () => {
    for (const text of ["", "plain text", "GIF", "<svg/>", "BM\0\0", "RIFF....WAVE"]) {
      expect(imageFacts(Buffer.from(text))).toBeNull();
    }
  });
});
