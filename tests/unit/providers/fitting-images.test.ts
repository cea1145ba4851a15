import { expect, test } from "vitest";
import type { ApiMessage } from "../../../electron/agent/ports/ports.ts";
import { imageLimits, withFittingImages } from "../../../electron/providers/fitting-images.ts";
import type { ImageBlock, ImageType } from "../../../shared/conversation/images.ts";
import { images, png } from "../../fixtures/images.ts";

const image = (bytes: Buffer | string, media_type: ImageType = "image/png"): ImageBlock => ({
  type: "image",
  source: {
    type: "base64",
    media_type,
    data: typeof bytes === "string" ? bytes : bytes.toString("base64"),
  },
});

/** As tools and prompts bring them, in turn. */
const brings = (one: ImageBlock, place: number): ApiMessage => ({
  role: "user",
  content:
    place % 2 === 0
      ? [{ type: "tool_result", tool_use_id: `t${place}`, content: "[image]", images: [one] }]
      : [{ type: "text", text: "[image]" }, one],
});

const sentIn = (messages: readonly ApiMessage[]): ImageBlock[] =>
  messages.flatMap(({ content }) =>
    content.flatMap((block) => {
      if (block.type === "image") return [block];
      return block.type === "tool_result" ? (block.images ?? []) : [];
    }),
  );

const written = images.png.toString("base64");

test.each<[string, ImageBlock]>([
  ["called another kind", image(images.png, "image/jpeg")],
  ["with line breaks", image(written.replaceAll(/.{20}/g, "$&\r\n"))],
  ["in the letters of addresses", image(written.replaceAll("+", "-").replaceAll("/", "_"))],
  ["without its filling signs", image(written.replaceAll("=", ""))],
  ["as an address", image(`data:image/png;base64,${written}`)],
])("an image %s is sent as its bytes are", (_, one) => {
  for (const place of [0, 1]) {
    expect(sentIn(withFittingImages([brings(one, place)], imageLimits.anthropic))).toEqual([
      image(images.png),
    ]);
  }
});

test.each<[string, ImageBlock, string]>([
  ["that is none", image(Buffer.from("plain text")), "damaged"],
  ["of a kind that no API takes", image(Buffer.from("BM\0\0\0\0")), "damaged"],
  ["that is empty", image(""), "damaged"],
  ["that is torn", image(images.png.subarray(0, 60)), "damaged"],
  ["without a side", image(png(0, 5)), "damaged"],
  ["that is too wide", image(png(8001, 1)), "too large"],
])("an image %s is a line of words", (_, one, why) => {
  for (const place of [0, 1]) {
    const sent = withFittingImages([brings(one, place)], imageLimits.anthropic);
    expect(sentIn(sent)).toEqual([]);
    expect(JSON.stringify(sent)).toContain(why);
    expect(JSON.stringify(sent)).toContain("[image]");
  }
});

test("what an API takes is sent as it is", () => {
  const messages = [brings(image(images.png), 0), brings(image(images.webpLossy, "image/webp"), 1)];
  expect(withFittingImages([], imageLimits.openai)).toEqual([]);
  const sent = withFittingImages(messages, imageLimits.openai);
  for (const [place, message] of messages.entries()) expect(sent[place]).toBe(message);
});

const many = (count: number, width = 40) =>
  Array.from({ length: count }, (_, place) => brings(image(png(width, 10)), place));

test.each([
  ["few large ones", many(20, 2400), 20],
  ["one large one more", many(21, 2400), 16],
  ["some more", many(25, 2400), 20],
  ["many small ones", many(100), 100],
  ["too many small ones", many(101), 96],
  ["a large one before many", [...many(1, 2400), ...many(25)], 21],
])("of %s, the newest are sent", (_, messages, count) => {
  const sent = withFittingImages(messages, imageLimits.anthropic);
  expect(sentIn(sent)).toEqual(sentIn(messages).slice(-count));
  expect(sent).toHaveLength(messages.length);
  const lines = JSON.stringify(sent).split("there are too many").length - 1;
  expect(lines).toBe(sentIn(messages).length - count);
});

test("all together have no more bytes than a request may, and the newest is always sent", () => {
  const size = written.length;
  const limits = { ...imageLimits.anthropic, chars: size, charsOfAll: 3 * size };
  const four = Array.from({ length: 4 }, (_, place) => brings(image(images.png), place));
  expect(sentIn(withFittingImages(four, limits))).toHaveLength(3);
  expect(sentIn(withFittingImages(four, { ...limits, charsOfAll: size }))).toHaveLength(1);
});

test("what was sent in a message's place is the same again, also behind new ones", () => {
  const messages = many(21, 2400);
  const before = withFittingImages(messages, imageLimits.anthropic);
  const after = withFittingImages([...messages, ...many(2, 2400)], imageLimits.anthropic);
  for (const [place, message] of before.entries()) expect(after[place]).toBe(message);
});
