import { z } from "zod";

/** How a path is: what a checkpoint keeps of it, and what two moments are compared by. */
export const fileState = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("absent") }),
  /** `mode`: permission bits. */
  z.object({ kind: z.literal("directory"), mode: z.number() }),
  /** Kept as a link, never followed. */
  z.object({ kind: z.literal("symlink"), target: z.string() }),
  /** `size` in bytes. `hash`: SHA-256 of the content, or `stat:…` of one that was not read. */
  z.object({ kind: z.literal("file"), mode: z.number(), size: z.number(), hash: z.string() }),
  /** A pipe, a socket, a device: noticed, never touched. */
  z.object({ kind: z.literal("other") }),
]);
export type FileState = z.infer<typeof fileState>;

export const absent: FileState = { kind: "absent" };

export function isSame(a: FileState, b: FileState): boolean {
  if (a.kind === "directory" && b.kind === "directory") return a.mode === b.mode;
  if (a.kind === "symlink" && b.kind === "symlink") return a.target === b.target;
  if (a.kind === "file" && b.kind === "file") return a.mode === b.mode && a.hash === b.hash;
  return a.kind === b.kind;
}

/** A state with how it was come by. */
export interface SeenFile {
  state: FileState;
  /** Of a file: changes whenever the file does, but for changes within one tick of the disk's clock. */
  stat: string;
  /** Why it cannot be brought back; null: it can. */
  why: string | null;
}
