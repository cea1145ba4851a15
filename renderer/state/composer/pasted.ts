import {
  maxAttachmentChars,
  maxPastedChars,
  maxPastedLines,
} from "../../../shared/conversation/attachments.ts";

/** Whether a paste is beside the prompt rather than in it. What cannot be attached stays text. */
export function isLongPaste(text: string): boolean {
  if (text.length > maxAttachmentChars) return false;
  return text.length > maxPastedChars || text.split("\n", maxPastedLines + 2).length > maxPastedLines;
}

/** Files of a paste. Office programs put a picture of their text beside it: then the text is meant. */
export function pastedFiles(data: DataTransfer): File[] {
  const files = [...data.files];
  const isPicture = files.length === 1 && files[0]?.name === "image.png";
  return isPicture && data.getData("text/plain").trim() !== "" ? [] : files;
}
