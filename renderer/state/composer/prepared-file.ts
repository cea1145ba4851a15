import { maxAttachedFileBytes, maxImageFileBytes } from "../../../shared/conversation/attachments.ts";
import type { IpcInput } from "../../../shared/ipc/ipc.ts";
import { texts } from "../../texts/texts.ts";
import { scaledImage } from "./scaled-image.ts";

const t = texts.composer.files;

/**
 * A file that the user gave, ready to be attached: images are scaled down.
 * @throws Error in words for the user
 */
export async function preparedFile(file: File): Promise<IpcInput<"attachment.add">> {
  const name = nameOf(file);
  // A drawing in SVG is text.
  if (file.type.startsWith("image/") && file.type !== "image/svg+xml") {
    if (file.size > maxImageFileBytes) throw new Error(t.tooLarge(name, maxImageFileBytes));
    try {
      return { name, kind: "file", ...(await scaledImage(file)) };
    } catch {
      throw new Error(t.noImage(name));
    }
  }
  if (file.size > maxAttachedFileBytes) throw new Error(t.tooLarge(name, maxAttachedFileBytes));
  try {
    return { name, kind: "file", bytes: new Uint8Array(await file.arrayBuffer()) };
  } catch {
    // A folder, or a file that is gone or may not be read.
    throw new Error(t.unreadable(name));
  }
}

/** A long paste. */
export const preparedPaste = (text: string): IpcInput<"attachment.add"> => ({
  name: t.pasted,
  kind: "pasted",
  bytes: new TextEncoder().encode(text),
});

function nameOf({ name, type }: File): string {
  const plain = name.replaceAll(/[/\\]/g, " ").slice(-255);
  // What a browser calls any image from the clipboard.
  if (plain === "image.png" && type === "image/png") return t.pastedImage;
  return plain === "" ? t.unnamed : plain;
}
