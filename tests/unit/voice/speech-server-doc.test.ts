import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  getSessionResult,
  getUpdatesArguments,
  getUpdatesResult,
  listDevicesResult,
  listModelsResult,
  modelArguments,
  recognisedWord,
  sessionArguments,
  startSessionArguments,
  startSessionResult,
  stopSessionResult,
  sttDevice,
  sttEvent,
  sttInfo,
  sttModel,
  sttSessionStatus,
  sttTool,
  turnEnd,
  updateSessionArguments,
  updateSessionResult,
  utteranceEndReason,
} from "../../../shared/voice/stt.ts";

const page = readFileSync(new URL("../../../docs/speech-server.md", import.meta.url), "utf8");

/** What a heading has under it. */
function section(title: string): string {
  const [, text] = page.split(new RegExp(`^## ${title}$`, "m"));
  if (text === undefined) throw new Error(`There is no heading ${title}.`);
  return text.split(/^## /m)[0] ?? "";
}
const inCode = (text: string) => new Set([...text.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name));
/** The names in the first column of the tables. */
const rows = (title: string) =>
  new Set([...section(title).matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell = ""]) => [...inCode(cell)]));
const names = (...schemas: z.ZodObject[]) => new Set(schemas.flatMap(({ shape }) => Object.keys(shape)));
const listed = (all: Iterable<unknown>) => [...all].map(String).sort();

describe("the specification of speech servers says what the schemas say", () => {
  it("of tools", () => {
    expect(listed(rows("Tools"))).toEqual(listed(Object.values(sttTool)));
    const said = inCode(section("Tools"));
    for (const name of names(
      getUpdatesArguments,
      sessionArguments,
      modelArguments,
      sttModel,
      listModelsResult,
    ))
      expect(said, name).toContain(name);
  });

  it("of starts: no argument and no answer more or less", () => {
    expect(listed(rows("Starting"))).toEqual(listed(names(startSessionArguments, startSessionResult)));
    for (const status of sttSessionStatus.options) expect(inCode(section("Starting"))).toContain(status);
  });

  it("of updates", () => {
    const named = [...rows("Updates")].filter((name) => name !== sttTool.getUpdates);
    expect(listed(named)).toEqual(listed(names(getUpdatesResult)));
  });

  it("of events: each type with its fields, and no other", () => {
    const rowOf = new Map(
      [...section("Events").matchAll(/^\| (`[^|]*`) \| (?:basic|full) \| (.*) \|$/gm)].flatMap(
        ([, types = "", fields = ""]) => [...inCode(types)].map((type) => [type, inCode(fields)] as const),
      ),
    );
    const types = sttEvent.options.map(({ shape }) => shape.type.value);
    expect(listed(rowOf.keys())).toEqual(listed(types));
    const values = new Set<string>([...utteranceEndReason.options, ...turnEnd.options, "commands", "words"]);
    for (const { shape } of sttEvent.options) {
      const fields = Object.keys(shape).filter((name) => !["seq", "timestamp_utc", "type"].includes(name));
      const said = rowOf.get(shape.type.value) ?? new Set();
      for (const field of fields) expect(said, `${shape.type.value}.${field}`).toContain(field);
      for (const name of said) {
        if (!values.has(String(name))) expect(fields, `${shape.type.value}: ${name}`).toContain(name);
      }
    }
    const said = inCode(section("Events"));
    for (const name of [...names(recognisedWord), ...utteranceEndReason.options])
      expect(said).toContain(name);
    for (const name of ["seq", "timestamp_utc"]) expect(said).toContain(name);
  });

  it("of what `info` tells", () => {
    const [, table = ""] = section("Events").split("| `info` | Payload");
    const told = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = ""]) => [...inCode(cell)]);
    expect(listed(told)).toEqual(listed(Object.values(sttInfo)));
  });

  it.each([
    ["Stopping", [stopSessionResult]],
    ["While it listens", [updateSessionArguments, updateSessionResult, getSessionResult]],
    ["Devices", [listDevicesResult, sttDevice]],
  ] as const)("of %s", (title, schemas) => {
    const said = inCode(section(title));
    for (const name of names(...schemas)) expect(said, name).toContain(name);
  });

  it("of limits", () => {
    expect(getUpdatesArguments.parse({ session_id: "s" })).toMatchObject({ limit: 100, wait_ms: 0 });
    expect(z.toJSONSchema(getUpdatesArguments, { io: "input" }).properties).toMatchObject({
      limit: { minimum: 1, maximum: 500 },
      wait_ms: { minimum: 0, maximum: 10_000 },
    });
    expect(section("Order")).toContain("`limit` (1–500, 100 where it is not given)");
    expect(section("Long polling")).toContain("`wait_ms` (0–10,000; 0 where it is not given)");
  });
});
