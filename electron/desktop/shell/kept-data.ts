import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DataInfo, DataKind } from "../../../shared/ipc/setting-routes.ts";

export interface KeptDataOptions {
  /** The user-data folder. */
  folder: string;
  /** Where downloaded speech models are. */
  models: string;
}

/** Says at the next start that what is here goes: also where the end before it was no clean one. */
const marker = "delete-everything";

/** The user wrote it: Parley only reads it. The others are the runtime's own, and say who runs. */
const stays = /^(\.env|Singleton.*|lockfile|DevToolsActivePort)$/;

/** All that Parley keeps on the disk: how large it is, and its end. */
export class KeptData {
  readonly #options: KeptDataOptions;
  #isUnwanted = false;

  constructor(options: KeptDataOptions) {
    this.#options = options;
  }

  async info(): Promise<DataInfo> {
    const { folder, models } = this.#options;
    const bytes: Record<DataKind, number> = {
      conversations: 0,
      checkpoints: 0,
      recordings: 0,
      models: await bytesOf(models),
      logs: 0,
      other: 0,
    };
    for (const name of await readdir(folder).catch(() => [])) {
      bytes[kindOf(name)] += await bytesOf(join(folder, name));
    }
    const kinds = Object.keys(bytes).filter(isKind);
    return { folder, parts: kinds.map((kind) => ({ kind, bytes: bytes[kind] })) };
  }

  /** From now on the end of this run, or the next start, takes everything away. @throws Error where that cannot be noted */
  giveUp(): void {
    writeFileSync(join(this.#options.folder, marker), "");
    this.#isUnwanted = true;
  }

  /** Once nobody works with it any more: at the end, and before a start. */
  removeUnwanted(): void {
    const { folder, models } = this.#options;
    if (!this.#isUnwanted && !existsSync(join(folder, marker))) return;
    for (const name of namesIn(folder)) {
      if (!stays.test(name) && name !== marker) remove(join(folder, name));
    }
    remove(models);
    // Last: until then the next start goes on with it.
    if (namesIn(folder).every((name) => stays.test(name) || name === marker || !isOurs(name))) {
      remove(join(folder, marker));
    }
  }
}

const kindNames: readonly DataKind[] = [
  "conversations",
  "checkpoints",
  "recordings",
  "models",
  "logs",
  "other",
];
const isKind = (name: string): name is DataKind => kindNames.some((kind) => kind === name);

function kindOf(name: string): DataKind {
  if (name === "parley.db.files") return "checkpoints";
  if (name.startsWith("parley.db")) return "conversations";
  if (name === "recordings") return "recordings";
  return name === "logs" ? "logs" : "other";
}

/** What the runtime writes while it ends is not the user's. */
const isOurs = (name: string) =>
  /^(parley\.db|settings\.json|remembered\.json|secrets|trust|mcp|recordings|logs)/.test(name);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What is in use stays where the system wants it so; the others go all the same. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The marker stays, and the next start tries again.
  }
}

/** 0 for what is gone by now. */
async function bytesOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null);
  if (!found) return 0;
  if (!found.isDirectory()) return found.size;
  let sum = 0;
  for (const name of await readdir(path).catch(() => [])) sum += await bytesOf(join(path, name));
  return sum;
}
