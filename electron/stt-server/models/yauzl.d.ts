/** The part of yauzl (which ships no types) that we use. */
declare module "yauzl" {
  import type { Readable } from "node:stream";

  export interface ZipEntry {
    fileName: string;
    crc32: number;
  }

  export interface ZipFile {
    eachEntry(): AsyncIterable<ZipEntry>;
    openReadStreamPromise(entry: ZipEntry): Promise<Readable>;
    close(): void;
  }

  /** Refuses names with `..`, and absolute ones. */
  export function openPromise(path: string, options: { lazyEntries: true }): Promise<ZipFile>;
}
