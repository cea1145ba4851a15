import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, workFolder } from "../../../../scripts/setup/cache-folder.mjs";
import { sampleRateHz } from "../../../e2e/support/machine/audio.ts";

/**
 * A Debian package, unpacked in Parley's cache folder, where it is kept.
 * @throws Error without `apt-get` and `dpkg`, or if the package can't be had
 */
export async function packageFolder(name: string): Promise<string> {
  const kept = join(cacheFolder(), "bench-sounds", name);
  if (existsSync(kept)) return kept;
  const work = await workFolder(cacheFolder());
  try {
    run("apt-get", ["download", name], work);
    const file = readdirSync(work).find((one) => one.endsWith(".deb"));
    if (file === undefined) throw new Error(`apt-get download ${name} left no file.`);
    run("dpkg", ["-x", file, "unpacked"], work);
    mkdirSync(join(cacheFolder(), "bench-sounds"), { recursive: true });
    renameSync(join(work, "unpacked"), kept);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return kept;
}

/** All files of a folder and the folders in it, sorted. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * The sound of a file in any format, −1…1, 16 kHz, mono.
 * @param piece only so much of it
 * @throws Error without `ffmpeg`, or if it can't read the file
 */
export function decoded(path: string, piece?: { fromS: number; lengthS: number }): number[] {
  const part = piece === undefined ? [] : ["-ss", `${piece.fromS}`, "-t", `${piece.lengthS}`];
  const pcm = run("ffmpeg", [
    ...["-v", "error", ...part, "-i", path],
    ...["-f", "s16le", "-ac", "1", "-ar", `${sampleRateHz}`, "-"],
  ]);
  return Array.from({ length: pcm.length >> 1 }, (_, index) => pcm.readInt16LE(2 * index) / 0x8000);
}

/** Bit of an offset in OpenTTD's sound file that is no part of it. */
const flag = 0x8000_0000;

/**
 * The WAV files in OpenTTD's sound file, which begins with pairs of an offset and a length, and has a name before each
 * WAV file: written into a folder beside it. The first pair's offset is the length of all pairs.
 */
export function unpackedSoundFile(path: string): string {
  const folder = `${path}.unpacked`;
  if (existsSync(folder)) return folder;
  const bytes = readFileSync(path);
  const partial = `${folder}.partial`;
  mkdirSync(partial, { recursive: true });
  const pairsBytes = bytes.readUInt32LE(0) & ~flag;
  for (let at = 0; at < pairsBytes; at += 8) {
    const start = bytes.readUInt32LE(at) & ~flag;
    const nameLength = bytes.readUInt8(start);
    const name = bytes.toString("latin1", start + 1, start + nameLength);
    const wav = start + 1 + nameLength;
    const label = /"(.*?)"/.exec(name)?.[1]?.replaceAll(/[^\w ]/g, "") ?? "sound";
    const content = bytes.subarray(wav, wav + bytes.readUInt32LE(at + 4));
    writeFileSync(join(partial, `${label} ${at / 8}.wav`), content);
  }
  renameSync(partial, folder);
  return folder;
}

/** Where each program is from, for who lacks it. */
const packageOf: Readonly<Record<string, string>> = { "apt-get": "apt", dpkg: "dpkg", ffmpeg: "ffmpeg" };

function run(program: string, args: string[], cwd?: string): Buffer {
  try {
    return execFileSync(program, args, { cwd, maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    throw new Error(
      `This benchmark needs the program "${program}" (Debian: apt-get install ${packageOf[program] ?? program}).`,
    );
  }
}
