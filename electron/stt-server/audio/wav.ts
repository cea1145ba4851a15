import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { SttError } from "../stt-error.ts";
import { allowedFile } from "./client-path.ts";

/** An opened WAV file, read piece by piece: a recording of hours needs no more memory than one of seconds. */
export interface WavFile {
  sampleRateHz: number;
  /** Mono, −1…1; the channels of a stereo file are averaged. */
  samples(): AsyncIterable<Float32Array>;
  close(): Promise<void>;
}

/** PCM of 8, 16, 24, 32 bits or floats of 32, 64 bits, any rate and number of channels. @throws SttError */
export async function openWav(path: string): Promise<WavFile> {
  const handle = await openFile(path);
  try {
    const layout = await readLayout(handle, path);
    return {
      sampleRateHz: layout.sampleRateHz,
      samples: () => readSamples(handle, layout),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openFile(path: string): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    const place = await allowedFile(path);
    // Before it is opened, since opening some devices does something; and after, since it may be another one by then.
    checkOrdinary(path, await stat(place));
    handle = await open(place, withoutWaiting);
    checkOrdinary(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle?.close();
    if (error instanceof SttError) throw error;
    throw new SttError(...openFailure(path, error), { cause: error });
  }
}

/** A pipe would be waited for until somebody writes to it. Windows does not know the flag, nor such pipes. */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function checkOrdinary(path: string, stats: Stats): void {
  if (stats.isFile()) return;
  throw stats.isDirectory()
    ? new SttError("is_directory", `${path} is a folder. Give the path of a WAV file in it.`)
    : new SttError("not_a_file", `${path} is not an ordinary file. Give the path of a WAV file.`);
}

function openFailure(path: string, error: unknown): [kind: string, message: string] {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return [
      "file_not_found",
      `There is no file ${path}. Check the path; a relative one starts at ${process.cwd()}.`,
    ];
  }
  if (code === "EACCES" || code === "EPERM") {
    return [
      "not_readable",
      `${path} cannot be read: permission denied. Allow reading it, or copy it elsewhere.`,
    ];
  }
  if (code === "EISDIR") return ["is_directory", `${path} is a folder. Give the path of a WAV file in it.`];
  return [
    "not_readable",
    `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
  ];
}

interface Layout {
  sampleRateHz: number;
  channels: number;
  bytesPerSample: number;
  decode: (bytes: Buffer, offset: number) => number;
  dataStart: number;
  dataEnd: number;
}

/** A WAV file has a handful of chunks before its sound. */
const maxChunks = 1000;

/** Walks the RIFF chunks up to `data`. */
async function readLayout(handle: FileHandle, path: string): Promise<Layout> {
  const notWav = (why: string) =>
    new SttError(
      "not_wav",
      `${path} is not a WAV file (${why}). Convert it: ffmpeg -i IN -ar 16000 -ac 1 OUT.wav`,
    );
  const size = (await handle.stat()).size;
  const riff = await readAt(handle, 0, 12);
  if (riff.length < 12) throw notWav(size === 0 ? "it is empty" : "it is too short");
  if (riff.toString("latin1", 0, 4) !== "RIFF" || riff.toString("latin1", 8, 12) !== "WAVE") {
    throw notWav("it does not begin with RIFF … WAVE");
  }
  let format: Omit<Layout, "dataStart" | "dataEnd"> | undefined;
  for (let at = 12, chunks = 1; ; chunks++) {
    if (chunks > maxChunks) throw notWav(`more than ${maxChunks} chunks come before its sound`);
    const head = await readAt(handle, at, 8);
    if (head.length < 8) throw notWav("it holds no audio");
    const id = head.toString("latin1", 0, 4);
    const length = head.readUInt32LE(4);
    const start = at + 8;
    if (id === "fmt ") format = parseFormat(await readAt(handle, start, Math.min(length, 40)), path);
    if (id === "data") {
      if (!format) throw notWav("its format chunk is missing");
      // Programs that stream a WAV leave the length at 0 or its highest value: the audio then goes on to the end.
      const dataEnd = length === 0 || start + length > size ? size : start + length;
      if (dataEnd - start < format.bytesPerSample * format.channels) throw notWav("it holds no audio");
      return { ...format, dataStart: start, dataEnd };
    }
    at = start + length + (length % 2);
  }
}

const pcm = 1;
const float = 3;
const extensible = 0xfffe;

function parseFormat(chunk: Buffer, path: string): Omit<Layout, "dataStart" | "dataEnd"> {
  const unsupported = (what: string) =>
    new SttError(
      "unsupported_format",
      `${path} holds ${what}, which is not supported. Convert it: ffmpeg -i IN -ar 16000 -ac 1 -c:a pcm_s16le OUT.wav`,
    );
  if (chunk.length < 16) throw unsupported("an incomplete format description");
  const tag = chunk.readUInt16LE(0);
  const code = tag === extensible && chunk.length >= 26 ? chunk.readUInt16LE(24) : tag;
  const channels = chunk.readUInt16LE(2);
  const sampleRateHz = chunk.readUInt32LE(4);
  const bits = chunk.readUInt16LE(14);
  const decode = decoders.get(`${code}/${bits}`);
  if (!decode) {
    throw unsupported(
      code === pcm || code === float ? `${bits}-bit samples` : `audio of format code ${code}`,
    );
  }
  if (channels < 1 || channels > 32) throw unsupported(`${channels} channels`);
  if (sampleRateHz < 4000 || sampleRateHz > 384_000) throw unsupported(`a sample rate of ${sampleRateHz} Hz`);
  return { sampleRateHz, channels, bytesPerSample: bits / 8, decode };
}

const decoders = new Map<string, (bytes: Buffer, offset: number) => number>([
  [`${pcm}/8`, (bytes, offset) => (bytes.readUInt8(offset) - 128) / 128],
  [`${pcm}/16`, (bytes, offset) => bytes.readInt16LE(offset) / 2 ** 15],
  [`${pcm}/24`, (bytes, offset) => bytes.readIntLE(offset, 3) / 2 ** 23],
  [`${pcm}/32`, (bytes, offset) => bytes.readInt32LE(offset) / 2 ** 31],
  [`${float}/32`, (bytes, offset) => finite(bytes.readFloatLE(offset))],
  [`${float}/64`, (bytes, offset) => finite(bytes.readDoubleLE(offset))],
]);

/** A NaN would poison the resampler's and the detector's state for the rest of the session. */
function finite(sample: number): number {
  return Number.isFinite(sample) ? sample : 0;
}

async function* readSamples(handle: FileHandle, layout: Layout): AsyncGenerator<Float32Array> {
  const blockBytes = layout.bytesPerSample * layout.channels;
  const pieceBytes = blockBytes * 4096;
  for (let at = layout.dataStart; at < layout.dataEnd; at += pieceBytes) {
    const bytes = await readAt(handle, at, Math.min(pieceBytes, layout.dataEnd - at));
    const mono = new Float32Array(Math.floor(bytes.length / blockBytes));
    for (let block = 0; block < mono.length; block++) {
      let sum = 0;
      for (let channel = 0; channel < layout.channels; channel++) {
        sum += layout.decode(bytes, block * blockBytes + channel * layout.bytesPerSample);
      }
      mono[block] = sum / layout.channels;
    }
    if (mono.length > 0) yield mono;
  }
}

/** Up to `length` bytes from `position`, fewer only at the end of the file. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
