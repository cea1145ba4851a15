/** The part of yazl (which ships no types) that we use. */
declare module "yazl" {
  import type { Readable } from "node:stream";

  export interface AddOptions {
    mtime?: Date;
    mode?: number;
    compressionLevel?: number;
  }

  export class ZipFile {
    readonly outputStream: Readable;
    addFile(path: string, name: string, options?: AddOptions): void;
    addBuffer(bytes: Buffer, name: string, options?: AddOptions): void;
    end(options?: { comment?: string }): void;
    on(event: "error", listener: (error: Error) => void): this;
  }
}
