import { type FileHandle, open } from "node:fs/promises";

/**
 * The metadata of an ONNX file. Reads the outermost fields only and leaps over the graph, however big. Checked
 * before the native code loads a model: that ends the whole process over a file that is cut off, or of another kind.
 * @throws Error in words that name no file, when it is no ONNX file or is cut off
 */
export async function readOnnxMetadata(path: string): Promise<Map<string, string>> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const metadata = new Map<string, string>();
    let hasGraph = false;
    for (let at = 0; at < size; ) {
      const head = await readHead(handle, at, size);
      const end = head.start + head.length;
      if (end > size) throw new Error("it is cut off");
      if (head.field === graphField) hasGraph = true;
      if (head.field === metadataField) {
        const [key, value] = readEntry(await readBytes(handle, head.start, head.length));
        metadata.set(key, value);
      }
      at = end;
    }
    if (!hasGraph) throw new Error("it is not an ONNX model");
    return metadata;
  } finally {
    await handle.close();
  }
}

/** Fields of ModelProto in onnx.proto, and how protobuf writes them. */
const graphField = 7;
const metadataField = 14;
const highestField = 25;
const varintType = 0;
const bytesType = 2;
/** Metadata are short texts: a longer one is no metadata. */
const longestEntry = 1 << 20;

interface Head {
  field: number;
  start: number;
  length: number;
}

async function readHead(handle: FileHandle, at: number, size: number): Promise<Head> {
  const bytes = await readBytes(handle, at, Math.min(20, size - at));
  const tag = readVarint(bytes, 0);
  const field = Math.floor(tag.value / 8);
  const type = tag.value % 8;
  if (field < 1 || field > highestField || (type !== varintType && type !== bytesType)) {
    throw new Error("it is not an ONNX model");
  }
  const next = readVarint(bytes, tag.end);
  if (type === varintType) return { field, start: at + next.end, length: 0 };
  if (field === metadataField && next.value > longestEntry) throw new Error("it is not an ONNX model");
  return { field, start: at + next.end, length: next.value };
}

function readVarint(bytes: Buffer, from: number): { value: number; end: number } {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes[from + index];
    if (byte === undefined) throw new Error("it is cut off");
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: from + index + 1 };
  }
  throw new Error("it is not an ONNX model");
}

/** A StringStringEntryProto: key is field 1, value field 2. */
function readEntry(bytes: Buffer): [key: string, value: string] {
  const texts = ["", "", ""];
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at);
    const length = readVarint(bytes, tag.end);
    texts[Math.floor(tag.value / 8)] = bytes.toString("utf8", length.end, length.end + length.value);
    at = length.end + length.value;
  }
  return [texts[1] ?? "", texts[2] ?? ""];
}

async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
