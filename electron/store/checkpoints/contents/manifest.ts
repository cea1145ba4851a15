import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import type { FolderIndex } from "../folder-index.ts";
import { fileState, type SeenFile } from "./file-state.ts";

const seen = z.object({
  state: fileState,
  stat: z.string(),
  why: z.string().nullable(),
}) satisfies z.ZodType<SeenFile>;
const unseen = z.object({ entries: z.enum(["none", "some"]), why: z.string() });

const manifest = z.object({
  folder: z.string(),
  limits: z.object({
    maxFiles: z.number(),
    maxBytes: z.number(),
    maxFileBytes: z.number(),
    /** An earlier Parley had none. */
    maxLargeBytes: z.number().default(0),
    minFreeBytes: z.number().default(0),
    ignore: z.array(z.string()),
  }),
  checkedAt: z.number(),
  seen: z.array(z.tuple([z.string(), seen])),
  unseen: z.array(z.tuple([z.string(), unseen])),
});

/** A folder's index as bytes for the database. */
export function packIndex(index: FolderIndex): Uint8Array {
  const json = JSON.stringify({ ...index, seen: [...index.seen], unseen: [...index.unseen] });
  return deflateRawSync(json, { level: 1 });
}

/** @throws ZodError, SyntaxError for what `packIndex` did not make */
export function unpackIndex(bytes: Uint8Array): FolderIndex {
  const found = manifest.parse(JSON.parse(inflateRawSync(bytes).toString("utf8")));
  return { ...found, seen: new Map(found.seen), unseen: new Map(found.unseen) };
}
