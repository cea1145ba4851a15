import { asOutsideData } from "../../../shared/conversation/data-marks.ts";
import type { ImageBlock } from "../../../shared/conversation/images.ts";
import type { ToolOutput } from "../../agent/ports/ports.ts";
import type { Block, CallResult, ResourceContents } from "../connection/reading/read-result.ts";
import { resultImage } from "./result-image.ts";

/**
 * A server's answer as a tool's output: all its text as data of that server, its images beside it, and what cannot be
 * shown by name.
 * @param from the server and its tool
 */
export function toolOutput(result: CallResult, from: string): ToolOutput {
  const images: ImageBlock[] = [];
  const parts = result.content.map((block) => textOf(block, images));
  const { structuredContent } = result;
  // Servers that give structured content should give the same as text; where one does, it stands there once.
  if (structuredContent !== undefined) {
    const json = JSON.stringify(structuredContent);
    if (!parts.some((part) => isSame(part, json))) parts.push(JSON.stringify(structuredContent, null, 2));
  }
  const text = parts.join("\n\n");
  return {
    text: asOutsideData(text === "" ? "(no output)" : text, from),
    ...(result.isError && { isError: true }),
    ...(images.length > 0 && { images }),
  };
}

/** One block as text; images are added to `images`. */
export function textOf(block: Block, images: ImageBlock[]): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return imageText(block, images);
    case "audio":
      return `[audio: ${block.mimeType}, ${sizeOf(block.data)}; it cannot be played here]`;
    case "resource_link": {
      const { uri, name, title, description, mimeType, size } = block;
      const facts = [mimeType, size === undefined ? undefined : `${size} bytes`, description];
      return `[resource: ${[title ?? name, uri, ...facts].filter((fact) => fact !== undefined).join(", ")}]`;
    }
    case "resource":
      return resourceText(block.resource, images);
  }
}

/** What a resource holds: its text, or what it is. */
export function resourceText(resource: ResourceContents, images: ImageBlock[]): string {
  if ("text" in resource) return `[resource: ${resource.uri}]\n${resource.text}`;
  const { uri, mimeType = "unknown kind", blob } = resource;
  if (mimeType.startsWith("image/"))
    return `[resource: ${uri}] ${imageText({ mimeType, data: blob }, images)}`;
  return `[resource: ${uri}, ${mimeType}, ${sizeOf(blob)}; it is not text]`;
}

function imageText(given: { mimeType: string; data: string }, images: ImageBlock[]): string {
  const { text, image } = resultImage(given);
  if (image) images.push(image);
  return text;
}

const sizeOf = (base64: string) => `${Math.ceil((base64.length * 3) / 4 / 1024)} KB`;

function isSame(text: string, json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}
