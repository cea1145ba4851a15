import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { systemClock } from "../../electron/stt-server/clock.ts";
import { cacheFolder } from "../../electron/stt-server/models/cache-folder.ts";
import type { CatalogueModel } from "../../electron/stt-server/models/catalogue.ts";
import { ModelManager } from "../../electron/stt-server/models/model-manager.ts";
import { readCatalogue } from "../../electron/stt-server/models/read-catalogue.ts";
import { type TriedLine, triedLines } from "../../electron/stt-server/models/tried-models.ts";
import { toSttError } from "../../electron/stt-server/stt-error.ts";
import { runTrial } from "./run-trial.ts";
import { nothing, type TrialResult } from "./trial.ts";

/** Exit codes: 0 each model that was tried can be used, 1 one cannot, 2 none could be tried. */
const usage = "npm run try-models -- --speech [--results FILE] [ID…]";
const root = resolve(import.meta.dirname, "../..");
/** As speech models' languages have it. */
const english = "en";

type Tried = Pick<TriedLine, "sha256" | "files"> & { result: TrialResult };

/** @returns null where the server could not be reached: that says nothing of the model */
async function tryModel(model: CatalogueModel): Promise<Tried | null> {
  const files: TriedLine["files"] = [];
  const manager = new ModelManager({
    folder: join(cacheFolder(process.env, process.platform), "tried-models"),
    catalogue: [model],
    fetch,
    clock: systemClock,
    onFile: async ({ name }, path) => {
      const hash = createHash("sha256");
      await pipeline(createReadStream(path), hash);
      files.push({ name, bytes: (await stat(path)).size, sha256: hash.digest("hex") });
    },
  });
  try {
    await manager.download(model.id);
  } catch (error) {
    const { kind, message } = toSttError(error);
    if (unreachable.has(kind)) {
      console.log(`${model.id}: not tried: ${message}`);
      return null;
    }
    const sha256 =
      files.length === model.files.length ? sumsOf(model) : kind === "bad_download" ? "wrong" : "unknown";
    return { sha256, files, result: nothing(message) };
  }
  const language = model.languages.includes(english) ? english : (model.languages[0] ?? english);
  const folder = (await manager.installed(model.id)) ?? "";
  const { id, kind } = model;
  const result = await runTrial({ id, kind, folder, language, hearsEnglish: language === english });
  await manager.delete(id);
  return { sha256: sumsOf(model), files, result };
}

/** A fault of the network or of this computer. */
const unreachable: ReadonlySet<string> = new Set(["download_failed", "disk_full"]);

const sumsOf = ({ files }: CatalogueModel) => (files.every(({ sha256 }) => sha256 !== null) ? "ok" : "new");

function lineOf(id: string, { sha256, files, result }: Tried): TriedLine {
  return {
    id,
    date: new Date().toISOString().slice(0, 10),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) || null,
    sha256,
    word_error_rate: result.wordErrorRate,
    real_time_factor: result.realTimeFactor,
    problem: result.problem,
    files,
  };
}

function inWords({ id, bytes, problem, word_error_rate, real_time_factor }: TriedLine): string {
  if (problem !== null) return `${id}: cannot be used: ${problem}`;
  const errors = word_error_rate === null ? "" : `, ${Math.round(word_error_rate * 100)} % of words wrong`;
  return `${id}: ${Math.ceil((bytes ?? 0) / 1e6)} MB${errors}, ${real_time_factor} of real time`;
}

async function readLines(path: string): Promise<TriedLine[]> {
  const text = await readFile(path, "utf8").catch(() => "[]");
  return triedLines.parse(JSON.parse(text));
}

/** Whole or not at all, in the catalogue's order. */
async function writeLine(path: string, line: TriedLine, order: readonly string[]): Promise<void> {
  const others = (await readLines(path)).filter(({ id }) => id !== line.id);
  const place = ({ id }: TriedLine) => (order.includes(id) ? order.indexOf(id) : order.length);
  const lines = [...others, line].sort((one, other) => place(one) - place(other));
  await writeFile(`${path}.new`, `${JSON.stringify(lines, null, 2)}\n`);
  await rename(`${path}.new`, path);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      speech: { type: "boolean", default: false },
      results: { type: "string", default: join(root, "resources/speech-models-tried.json") },
    },
  });
  const { models, problem } = readCatalogue(process.env);
  const ids = models.map(({ id }) => id);
  const unknown = positionals.filter((id) => !ids.includes(id));
  if (!values.speech || problem || unknown.length > 0) {
    console.error(problem?.message ?? `Usage: ${usage}. The models are ${ids.join(", ")}.`);
    return 2;
  }
  const wanted = models.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  let bad = 0;
  let tried = 0;
  for (const model of wanted) {
    console.log(`${model.id}: downloading …`);
    const outcome = await tryModel(model);
    if (!outcome) continue;
    const line = lineOf(model.id, outcome);
    await writeLine(values.results, line, ids);
    console.log(inWords(line));
    tried += 1;
    if (line.problem !== null) bad += 1;
  }
  console.log(
    `${tried} of ${wanted.length} tried, ${bad} cannot be used. ${relative(root, values.results)} says which.`,
  );
  if (tried === 0) return 2;
  return bad > 0 ? 1 : 0;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  return 2;
});
