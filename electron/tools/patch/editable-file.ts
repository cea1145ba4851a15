import { grouped } from "../../../shared/grouped.ts";
import { EnvironmentError, type ExecutionEnvironment } from "../../agent/ports/ports.ts";
import { type Encoding, encodingOf, seemingText, textOf } from "../environment/text-content.ts";

const maxBytes = 5_000_000;

/** A file's text, and how it is written. */
interface EditableFile {
  text: string;
  encoding: Encoding;
}

/**
 * A file as text to be changed.
 * @throws EnvironmentError for what is too large or no text: writing it back could not keep what was not understood
 */
export async function readEditable(path: string, environment: ExecutionEnvironment): Promise<EditableFile> {
  const { bytes, totalBytes } = await environment.readFile(path, { maxBytes });
  if (totalBytes > maxBytes) {
    throw new EnvironmentError(
      `${path} is too large to edit: ${grouped(totalBytes)} bytes, at most ${grouped(maxBytes)}.`,
    );
  }
  const text = textOf(bytes);
  if (text === null) {
    throw new EnvironmentError(`${path} is not UTF-8 text${seemingText(bytes)}; it cannot be edited.`);
  }
  return { text, encoding: encodingOf(bytes) };
}
