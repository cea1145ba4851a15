import { type FileHandle, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { sampleRateHz } from "../../../shared/voice/stt.ts";

/** Recordings of ours, and of nobody else, begin and end so. */
const prefix = "parley-";
const suffix = ".wav";
const dayMs = 24 * 60 * 60_000;

/** Writes one session's sound to a WAV file that only its owner can read. Its header is right once it is closed. */
export class WavWriter {
  readonly path: string;
  readonly #handle: FileHandle;
  #bytes = 0;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** @param folder that is there @throws when the file cannot be made */
  static async create(folder: string, startedAt: number, id: string): Promise<WavWriter> {
    const time = new Date(startedAt).toISOString().replace(/[:.]/g, "-");
    const path = join(folder, `${prefix}${time}-${id}${suffix}`);
    const handle = await open(path, "wx", 0o600);
    const writer = new WavWriter(path, handle);
    await handle.write(header(0), 0, headerBytes, 0);
    return writer;
  }

  async write(pcm: Int16Array): Promise<void> {
    const bytes = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    await this.#handle.write(bytes, 0, bytes.length, headerBytes + this.#bytes);
    this.#bytes += bytes.length;
  }

  async close(): Promise<void> {
    await this.#handle.write(header(this.#bytes), 0, headerBytes, 0);
    await this.#handle.close();
  }
}

/** Deletes recordings of ours that are older than `keepDays`; 0 keeps them all. Others' files stay. */
export async function deleteOldRecordings(folder: string, keepDays: number, now: number): Promise<void> {
  if (keepDays === 0) return;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(prefix) || !name.endsWith(suffix)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs > keepDays * dayMs) await rm(path, { force: true });
  }
}

const headerBytes = 44;

function header(dataBytes: number): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(36 + dataBytes, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(sampleRateHz, 24);
  bytes.writeUInt32LE(sampleRateHz * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(dataBytes, 40);
  return bytes;
}
