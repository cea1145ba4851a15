import { maxAttachmentChars } from "../../../shared/conversation/attachments.ts";
import { type ImageBlock, imageTypes } from "../../../shared/conversation/images.ts";
import { grouped } from "../../../shared/grouped.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { ImageFacts } from "../../files/image-file.ts";
import { seemingText } from "../../tools/environment/text-content.ts";

export type ImageLimits = Pick<Settings, "attachMaxImages" | "attachMaxImageBytes" | "attachMaxImageSidePx">;

/**
 * One that the model's API refuses would be refused again with every later prompt.
 * @param bytes how many it has @throws Error in words for the user
 */
export function checkImage(name: string, { size }: ImageFacts, bytes: number, limits: ImageLimits): void {
  const { attachMaxImageBytes: maxBytes, attachMaxImageSidePx: maxSide } = limits;
  if (bytes > maxBytes) {
    throw new Error(
      `${name} is too large to attach: ${grouped(bytes)} bytes, at most ${grouped(maxBytes)} (\`attachMaxImageBytes\`). Make it smaller first.`,
    );
  }
  if (!size || size.width === 0 || size.height === 0) {
    throw new Error(`${name} is a damaged image: it can't be read to its end.`);
  }
  if (Math.max(size.width, size.height) > maxSide) {
    throw new Error(
      `${name} is too large to attach: ${sizeText(size)} pixels, at most ${maxSide} on a side (\`attachMaxImageSidePx\`). Make it smaller first.`,
    );
  }
}

/** What the model reads before an image, and the image. @param was its size before it was made smaller */
export function imageAttachment({ type, size }: ImageFacts, bytes: Uint8Array, was = size) {
  const isSmaller = size && was && was.width * was.height > size.width * size.height;
  const facts = [
    type,
    ...(size ? [`${sizeText(size)}${isSmaller ? `, made smaller from ${sizeText(was)}` : ""}`] : []),
    `${Math.ceil(bytes.length / 1024)} KB`,
  ];
  const data = Buffer.from(bytes).toString("base64");
  const image: ImageBlock = { type: "image", source: { type: "base64", media_type: type, data } };
  return { text: `[image: ${facts.join(", ")}; it follows]`, images: [image] };
}

const sizeText = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`;

export const neitherTextNorImage = (name: string, bytes: Uint8Array): string => {
  const seeming = seemingText(bytes);
  if (seeming !== "") return `${name} is not UTF-8 text${seeming}.`;
  const kinds = imageTypes.map((type) => type.replace("image/", "").toUpperCase()).join(", ");
  return `${name} is neither text nor an image models can take (${kinds}).`;
};

export const tooLong = (what: string, size: number, unit: string) =>
  new Error(
    `${what} is too long to attach: ${grouped(size)} ${unit}, at most ${grouped(maxAttachmentChars)} characters. Ask for the part that matters.`,
  );
