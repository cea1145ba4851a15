import type { ImageBlock } from "../../../shared/conversation/images.ts";
import { wholeImageFacts } from "../../files/image-file.ts";

/** Characters of base64, and pixels of a side: more is refused by the model APIs. */
const maxImageChars = 5_000_000;
const maxSidePx = 8000;

export interface ResultImage {
  /** What the model reads in its place. */
  text: string;
  /** null: it is not shown. One that the model's API refuses would be refused again with every later request. */
  image: ImageBlock | null;
}

/** An image of a server's: its kind is what its bytes say, whatever the server calls it. */
export function resultImage({ mimeType, data }: { mimeType: string; data: string }): ResultImage {
  const base64 = data.replace(/^data:[^,]*,/, "").replaceAll(/\s/g, "");
  const size = `${Math.ceil((base64.length * 3) / 4 / 1024)} KB`;
  const unseen = (why: string, kind = mimeType) => ({
    text: `[image: ${kind}, ${size}; ${why}]`,
    image: null,
  });
  if (base64.length > maxImageChars) return unseen("it is too large to be shown");
  const bytes = Buffer.from(base64, "base64");
  const facts = wholeImageFacts(bytes);
  if (!facts?.size || facts.size.width === 0 || facts.size.height === 0) {
    return unseen("it is damaged, or of no kind that can be shown");
  }
  const { type, size: px } = facts;
  if (Math.max(px.width, px.height) > maxSidePx) {
    return unseen(`it has more than ${maxSidePx} pixels on a side, which is too many to be shown`, type);
  }
  const source = { type: "base64" as const, media_type: type, data: bytes.toString("base64") };
  return { text: `[image: ${type}, ${size}]`, image: { type: "image", source } };
}
