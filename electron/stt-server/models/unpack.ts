import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { openPromise } from "yauzl";
import { SttError } from "../stt-error.ts";

/**
 * Unpacks a zip into `folder`, without the one folder that everything in it is in. Each file's checksum is looked at;
 * names that lead out of the folder are refused.
 * @throws SttError when the archive is damaged
 */
export async function unpackZip(zipFile: string, folder: string): Promise<void> {
  try {
    const zip = await openPromise(zipFile, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      const path = entry.fileName.split("/").slice(1).join("/");
      if (path === "" || path.endsWith("/")) continue;
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      const check = new Checksum(entry.crc32, entry.fileName);
      await pipeline(await zip.openReadStreamPromise(entry), check, createWriteStream(target));
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const why = error instanceof Error ? error.message : String(error);
    if (code === "ENOSPC") {
      throw new SttError(
        "disk_full",
        "There is no room on the disk to unpack the model. Free some, then try again.",
      );
    }
    throw new SttError("bad_download", `The model's archive is damaged (${why}). Download it again.`, {
      cause: error,
    });
  }
}

/** Passes bytes through, and fails at the end where they are not what the archive says. */
class Checksum extends Transform {
  readonly #expected: number;
  readonly #name: string;
  #sum = 0;

  constructor(expected: number, name: string) {
    super();
    this.#expected = expected;
    this.#name = name;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, data: Buffer) => void): void {
    this.#sum = crc32(chunk, this.#sum);
    done(null, chunk);
  }

  override _flush(done: (error?: Error) => void): void {
    done(this.#sum === this.#expected ? undefined : new Error(`${this.#name}: wrong checksum`));
  }
}
