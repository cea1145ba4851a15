import type { ImageBlock } from "../../shared/conversation/images.ts";
import type { ContentBlock } from "../../shared/conversation/messages.ts";
import type { ApiMessage } from "../agent/ports/ports.ts";
import { wholeImageFacts } from "../files/image-file.ts";

/** What an API takes of images in one request. */
interface ImageLimits {
  most: number;
  /** Pixels of a longer side: of any, and of all where there are more than `few`. */
  sidePx: number;
  few: number;
  sideOfManyPx: number;
  /** Characters of base64: of one, and of all; the request has its words beside them. */
  chars: number;
  charsOfAll: number;
}

/** As the Messages API has it: 32 MB a request. */
const anthropic: ImageLimits = {
  most: 100,
  sidePx: 8000,
  few: 20,
  sideOfManyPx: 2000,
  chars: 5_000_000,
  charsOfAll: 24_000_000,
};
/** 50 MB of images, and 500 of them. */
const openai: ImageLimits = {
  most: 500,
  sidePx: 8000,
  few: 500,
  sideOfManyPx: 8000,
  chars: 20_000_000,
  charsOfAll: 40_000_000,
};
/** 20 MB a request, whatever else is in it. */
const gemini: ImageLimits = { ...openai, chars: 14_000_000, charsOfAll: 14_000_000 };
/** `other`: servers that nobody knows take what the narrowest of these take. */
export const imageLimits = { anthropic, openai, gemini, other: { ...anthropic, charsOfAll: 14_000_000 } };

/** So many go at once where there are more: a cut that moved with every image would make the provider's cache useless. */
const step = 5;

/**
 * A history whose images an API takes, all together: one that it refused would be refused with every later request. Each is
 * called what its bytes say; what is none, and the oldest where there are too many, become a line of words.
 */
export function withFittingImages(messages: ApiMessage[], limits: ImageLimits): ApiMessage[] {
  const all = imagesIn(messages);
  if (all.length === 0) return messages;
  const sound = all.filter((image) => typeof soundImage(image, limits) !== "string");
  const older = new Set(sound.slice(0, firstThatFits(sound, limits)));
  const sent = (image: ImageBlock) => (older.has(image) ? outOfSight : soundImage(image, limits));
  return messages.map((message) => withImages(message, sent));
}

export const imagesIn = (messages: readonly ApiMessage[]): ImageBlock[] =>
  messages.flatMap(({ content }) => content.flatMap(imagesOf));

const imagesOf = (block: ContentBlock): readonly ImageBlock[] =>
  block.type === "image" ? [block] : block.type === "tool_result" ? (block.images ?? []) : [];

const left = (why: string) => `[An image that stood here is left out: ${why}.]`;
const damaged = left("it is damaged, or of no kind that can be shown");
const tooLarge = left("it is too large to be sent");
const outOfSight = left("there are too many; look at it again if you need it");

/** The image as it is sent, or the words in its place. */
function soundImage(image: ImageBlock, limits: ImageLimits): ImageBlock | string {
  const { block, sidePx } = looked(image);
  if (!block) return damaged;
  return sidePx > limits.sidePx || block.source.data.length > limits.chars ? tooLarge : block;
}

interface Looked {
  /** null: no API takes it. */
  block: ImageBlock | null;
  sidePx: number;
}

/** Each is looked at once: a history is sent in every round. */
const known = new WeakMap<ImageBlock, Looked>();

function looked(image: ImageBlock): Looked {
  const before = known.get(image);
  if (before) return before;
  const { media_type, data } = image.source;
  const bytes = Buffer.from(data.replace(/^data:[^,]*,/, ""), "base64");
  const facts = wholeImageFacts(bytes);
  const { width, height } = facts?.size ?? { width: 0, height: 0 };
  const type = facts?.type ?? media_type;
  const written = bytes.toString("base64");
  const isAsItSays = type === media_type && written === data;
  const whole: ImageBlock = { type: "image", source: { type: "base64", media_type: type, data: written } };
  const block = isAsItSays ? image : whole;
  const made = { block: width === 0 || height === 0 ? null : block, sidePx: Math.max(width, height) };
  known.set(image, made);
  return made;
}

/** @param images oldest first @returns the place of the oldest that is still sent */
function firstThatFits(images: readonly ImageBlock[], limits: ImageLimits): number {
  let chars = 0;
  let sidePx = 0;
  let first = images.length;
  for (const image of images.toReversed()) {
    const count = images.length - first + 1;
    chars += looked(image).block?.source.data.length ?? 0;
    sidePx = Math.max(sidePx, looked(image).sidePx);
    if (count > limits.most || chars > limits.charsOfAll) break;
    if (count > limits.few && sidePx > limits.sideOfManyPx) break;
    first--;
  }
  const rounded = Math.ceil(first / step) * step;
  return Math.max(first, Math.min(rounded, images.length - step));
}

/** By the message, what was sent in its place: the same again as long as nothing else is sent of it. */
const replaced = new WeakMap<ApiMessage, { sent: readonly (ImageBlock | string)[]; message: ApiMessage }>();

function withImages(message: ApiMessage, send: (image: ImageBlock) => ImageBlock | string): ApiMessage {
  const images = message.content.flatMap(imagesOf);
  const sent = images.map(send);
  if (sent.every((one, place) => one === images[place])) return message;
  const before = replaced.get(message);
  if (before && sent.every((one, place) => one === before.sent[place])) return before.message;
  const made = { role: message.role, content: message.content.map((block) => withSent(block, send)) };
  replaced.set(message, { sent, message: made });
  return made;
}

function withSent(block: ContentBlock, send: (image: ImageBlock) => ImageBlock | string): ContentBlock {
  if (block.type === "image") {
    const sent = send(block);
    return typeof sent === "string" ? { type: "text", text: sent } : sent;
  }
  if (block.type !== "tool_result" || !block.images) return block;
  const { images: own, ...rest } = block;
  const sent = own.map(send);
  const images = sent.filter((one) => typeof one !== "string");
  const words = sent.filter((one) => typeof one === "string");
  const content = [block.content, ...words].join("\n");
  return { ...rest, content, ...(images.length > 0 && { images }) };
}
