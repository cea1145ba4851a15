import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { unpackIndex } from "./manifest.ts";

const idRows = z.array(z.object({ id: z.number().nullable() }));
const bytesColumn = z.union([z.instanceof(Uint8Array), z.instanceof(ArrayBuffer)]);
const manifestRows = z.array(z.object({ bytes: bytesColumn }));

/** Whether a content is held by a folder whose call is not finished. */
export function pendingContents(database: Database): (hash: string) => boolean {
  const newest = database.prepare("SELECT max(id) AS id FROM checkpoint_manifests");
  const select = database.prepare("SELECT bytes FROM checkpoint_manifests");
  const held = new Set<string>();
  let lastId: number | null = null;
  return (hash) => {
    const id = idRows.parse(newest.all([]))[0]?.id ?? null;
    if (id !== null && id !== lastId) {
      lastId = id;
      for (const { bytes } of manifestRows.parse(select.all([]))) {
        for (const hash of hashesIn(new Uint8Array(bytes))) held.add(hash);
      }
    }
    return held.has(hash);
  };
}

/** One that is damaged holds nothing any more: it could bring nothing back. */
function hashesIn(manifest: Uint8Array): string[] {
  try {
    const { seen } = unpackIndex(manifest);
    return [...seen.values()].flatMap(({ state }) => (state.kind === "file" ? [state.hash] : []));
  } catch {
    return [];
  }
}
