import { open } from "node:fs/promises";

/** Six sizes: of the tables for sound and for length, each speakers × rows × columns, as 64-bit integers. */
const headBytes = 6 * 8;
const mostBytes = 64 * 1024 * 1024;

/**
 * The speakers of a Supertonic voice's style file, numbered: it has no names for them.
 * @throws Error where the file is not what its head says
 */
export async function speakersIn(path: string): Promise<string[]> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await handle.read(head, 0, headBytes, 0);
    const dims = Array.from({ length: 6 }, (_, at) => Number(head.readBigInt64LE(at * 8)));
    const [speakers = 0, rows = 0, columns = 0, same = 0, others = 0, width = 0] = dims;
    const bytes = 4 * (speakers * rows * columns + same * others * width);
    const isSound =
      bytesRead === headBytes && dims.every((dim) => dim > 0) && speakers === same && bytes <= mostBytes;
    if (!isSound || size !== headBytes + bytes) throw new Error(`${path} is damaged.`);
    return Array.from({ length: speakers }, (_, at) => String(at + 1));
  } finally {
    await handle.close();
  }
}
