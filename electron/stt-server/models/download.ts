import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Clock } from "../clock.ts";
import { SttError } from "../stt-error.ts";
import type { ModelFile } from "./catalogue.ts";

export interface DownloadOptions {
  fetch: typeof fetch;
  clock: Clock;
  signal: AbortSignal;
}

/** Attempts in a row that may bring nothing; one that brings something counts anew. */
const maxAttempts = 5;
const firstDelayMs = 500;
/** A connection that brings nothing for so long, in milliseconds, is given up, and the next one goes on. */
export const silenceMs = 30_000;
/** Left free on the disk, for everybody else. */
const spareBytes = 64 * 1024 * 1024;

/** What has arrived of a file before it is whole. */
export const partOf = (target: string): string => `${target}.part`;

/**
 * Downloads a file to `target`, going on where an earlier attempt ended (`target.part`). It appears at `target` only
 * when it is whole and its checksum is right.
 * @throws SttError saying what to do; the signal's reason when aborted, with the part kept
 */
export async function downloadFile(file: ModelFile, target: string, options: DownloadOptions): Promise<void> {
  const part = partOf(target);
  await mkdir(dirname(target), { recursive: true });
  await checkRoom(file, part);
  await fetchAll(file, part, options);
  await verify(file, part);
  await rename(part, target);
}

async function fetchAll(file: ModelFile, part: string, options: DownloadOptions): Promise<void> {
  const { clock, signal } = options;
  for (let attempt = 1; ; attempt++) {
    const before = await sizeOf(part);
    try {
      return await unlessSilent(options, (heard) => fetchRest(file, part, heard));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SttError) throw error;
      if (isDiskFull(error)) throw noRoom(file);
      // To ask it again helps nobody.
      if (proxyAdvice(error) !== null) throw unreachable(file, error);
      if ((await sizeOf(part)) > before) attempt = 0;
      else if (attempt >= maxAttempts) throw unreachable(file, error);
      await clock.sleep(firstDelayMs * 2 ** Math.max(0, attempt - 1), signal);
    }
  }
}

interface Heard {
  fetch: typeof fetch;
  /** Aborted also when nothing came for too long. */
  signal: AbortSignal;
  /** Something came. */
  alive(): void;
}

/** @throws what `work` does; an Error when `alive` was not called for `silenceMs` */
async function unlessSilent(
  { fetch, clock, signal }: DownloadOptions,
  work: (heard: Heard) => Promise<void>,
): Promise<void> {
  const ended = new AbortController();
  let lastSign = clock.now();
  const watch = async () => {
    for (let leftMs = silenceMs; leftMs > 0; leftMs = lastSign + silenceMs - clock.now()) {
      await clock.sleep(leftMs, ended.signal);
    }
    ended.abort(new Error(`nothing came for ${silenceMs / 1000} seconds`));
  };
  watch().catch(() => undefined);
  const alive = () => {
    lastSign = clock.now();
  };
  try {
    await work({ fetch, signal: AbortSignal.any([signal, ended.signal]), alive });
  } finally {
    ended.abort();
  }
}

/** One request for what is missing. @throws when the connection breaks or is silent, or the answer is short */
async function fetchRest(file: ModelFile, part: string, heard: Heard): Promise<void> {
  const have = await sizeOf(part);
  if (have > 0 && have === file.bytes) return;
  const headers: Record<string, string> = have > 0 ? { Range: `bytes=${have}-` } : {};
  const response = await heard.fetch(file.url, { headers, signal: heard.signal });
  if (response.status === 416) {
    // What is on the disk is all there is, or more: the checksum tells which.
    await response.body?.cancel();
    return;
  }
  const isRest =
    response.status === 206 && response.headers.get("content-range")?.startsWith(`bytes ${have}-`) === true;
  if (!response.ok || (response.status === 206 && !isRest) || !response.body) {
    await response.body?.cancel();
    if (response.status >= 400 && response.status < 500 && response.status !== 429) {
      throw new SttError(
        "not_found",
        `${file.url} answers ${response.status}: the model has moved. Choose another.`,
      );
    }
    throw new Error(`the server answers ${response.status}`);
  }
  await append(response.body, part, isRest ? have : 0, heard);
  const expected = totalOf(response, isRest ? have : 0);
  if (expected !== null && (await sizeOf(part)) < expected) throw new Error("the connection was cut");
}

/** Writes after the first `from` bytes; what is there beyond them is the start of another try, and goes. */
async function append(
  body: ReadableStream<Uint8Array>,
  part: string,
  from: number,
  { signal, alive }: Heard,
): Promise<void> {
  const handle = await open(part, from === 0 ? "w" : "a");
  try {
    for await (const chunk of body) {
      signal.throwIfAborted();
      alive();
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
}

function totalOf(response: Response, from: number): number | null {
  // A compressed answer's length says nothing about what comes out of it.
  if (response.headers.get("content-encoding")) return null;
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  return Number.isFinite(length) ? from + length : null;
}

async function verify(file: ModelFile, part: string): Promise<void> {
  const bytes = await sizeOf(part);
  if (file.sha256 === null) {
    if (file.bytes === null || bytes === file.bytes) return;
    await rm(part, { force: true });
    throw damaged(file, `${bytes} bytes instead of ${file.bytes}`);
  }
  const hash = createHash("sha256");
  await pipeline(createReadStream(part), hash);
  if (hash.digest("hex") === file.sha256) return;
  await rm(part, { force: true });
  throw damaged(file, "its checksum is wrong");
}

/** @throws SttError before anything is fetched, where the disk cannot hold it */
async function checkRoom(file: ModelFile, part: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(part));
  const needed = (file.bytes ?? 0) - (await sizeOf(part)) + spareBytes;
  if (bavail * bsize < needed) throw noRoom(file);
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT";
}

function noRoom({ name, bytes }: ModelFile): SttError {
  const size = bytes === null ? "" : ` (${Math.max(1, Math.round(bytes / 1e6))} MB)`;
  return new SttError(
    "disk_full",
    `There is no room on the disk for ${name}${size}. Free some space, then download again: it goes on where it stopped.`,
  );
}

function unreachable(file: ModelFile, error: unknown): SttError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
  const advice = proxyAdvice(error) ?? "Try again: it goes on where it stopped.";
  return new SttError(
    "download_failed",
    `${file.name} could not be downloaded from ${new URL(file.url).host}: ${why}. ${advice}`,
    { cause: error },
  );
}

/** What to do about a proxy that sends us away; null for any other failure. The app's `fetch` names it so. */
function proxyAdvice(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined;
  const isRefusal = cause instanceof Error && cause.name === "ProxyRefusal" && "hint" in cause;
  return isRefusal ? String(cause.hint) : null;
}

function damaged(file: ModelFile, why: string): SttError {
  return new SttError(
    "bad_download",
    `${file.name} arrived damaged (${why}) and was deleted. Download it again. If that keeps happening, choose another model.`,
  );
}
