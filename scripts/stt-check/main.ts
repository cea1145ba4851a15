import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { checkBasic, checkProgram } from "./basic.ts";
import { type CheckResult, Checks, type Level, levels } from "./checks.ts";
import { Connection, type ServerPlace } from "./connection.ts";
import { checkFull } from "./full.ts";
import type { Recording } from "./listening.ts";

/** Exit codes: 0 all that could be checked is well, 1 something is not, 2 nothing could be checked. */
const usage =
  "npm run -s stt:check -- [--level basic|full] [--json] (COMMAND ARGS… | --url ADDRESS [--header NAME:VALUE]…)";
const clip = "librivox_0870";
/** So long a server that plays no files is given to hear somebody, in milliseconds. */
const hearMs = 10_000;

interface Wanted {
  level: Level;
  asJson: boolean;
  place: ServerPlace;
}

/** @returns null where it cannot be read */
function readArguments(given: readonly string[]): Wanted | null {
  const rest = [...given];
  let level: Level = "basic";
  let asJson = false;
  let url: URL | null = null;
  const headers: Record<string, string> = {};
  for (let next = rest[0]; next?.startsWith("--"); next = rest[0]) {
    rest.shift();
    if (next === "--json") asJson = true;
    else if (next === "--level") {
      const found = levels.find((one) => one === rest[0]);
      if (!found) return null;
      level = found;
      rest.shift();
    } else if (next === "--url") {
      url = webAddress(rest.shift() ?? "");
      if (!url) return null;
    } else if (next === "--header") {
      const [, name, value] = /^([\w-]+):\s*(.+)$/.exec(rest.shift() ?? "") ?? [];
      if (name === undefined || value === undefined) return null;
      headers[name] = value;
    } else return null;
  }
  const [command, ...args] = rest;
  if (url) return command === undefined ? { level, asJson, place: { url, headers } } : null;
  if (command === undefined || Object.keys(headers).length > 0) return null;
  return { level, asJson, place: { command, args } };
}

function webAddress(text: string): URL | null {
  return /^https?:/.test(text) && URL.canParse(text) ? new URL(text) : null;
}

async function recording(): Promise<Recording> {
  const folder = resolve(import.meta.dirname, "../../tests/fixtures/audio");
  const path = resolve(folder, `${clip}.wav`);
  const lines = (await readFile(resolve(folder, "transcripts.txt"), "utf8")).split("\n");
  const words =
    lines
      .find((line) => line.startsWith(`${clip}|`))
      ?.split("|")[1]
      ?.split(" ") ?? [];
  // 44 bytes of header, then 16-bit samples at 16 kHz.
  return { path, words, durationMs: ((await stat(path)).size - 44) / 32 };
}

function print({ outcome, title, level, detail, section }: CheckResult): void {
  const mark = { ok: "ok     ", failed: "FAILED ", skipped: "skipped" }[outcome];
  console.log(`${mark}  ${level.padEnd(5)}  ${title}`);
  if (detail !== null) console.log(`                ${detail} (docs/speech-server.md#${section})`);
}

async function main(): Promise<number> {
  const wanted = readArguments(process.argv.slice(2));
  if (!wanted) {
    console.error(`Usage: ${usage}`);
    return 2;
  }
  const { level, asJson, place } = wanted;
  let connection: Connection;
  try {
    connection = await Connection.open(place);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const what =
      "url" in place
        ? `${place.url.href} is no MCP server over Streamable HTTP`
        : `“${[place.command, ...place.args].join(" ")}” is no MCP server over standard input and output`;
    console.error(`${what}: ${why}`);
    return 2;
  }
  const checks = new Checks(level, asJson ? () => {} : print);
  const options = { recording: await recording(), hearMs };
  const heard = await checkBasic(checks, connection, options);
  if (level === "full") await checkFull(checks, connection, options, heard);
  if ("url" in place) await connection.close();
  else await checkProgram(checks, connection);
  const count = (outcome: CheckResult["outcome"]) =>
    checks.results.filter((result) => result.outcome === outcome).length;
  const passes = count("failed") === 0;
  if (asJson) console.log(JSON.stringify({ level, passes, checks: checks.results }, null, 2));
  else {
    const verdict = passes ? "It passes" : "It does not pass";
    console.log(
      `${verdict} level ${level}: ${count("ok")} ok, ${count("failed")} failed, ${count("skipped")} skipped.`,
    );
  }
  return passes ? 0 : 1;
}

process.exitCode = await main();
