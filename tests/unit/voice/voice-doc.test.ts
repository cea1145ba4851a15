import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { voiceCommand } from "../../../electron/voice/session/voice-command.ts";
import { defaultSettings } from "../../../shared/settings.ts";

const root = new URL("../../../", import.meta.url);
const pages = [
  "README.md",
  ...readdirSync(new URL("docs", root))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const said = pages.map((page) => readFileSync(new URL(page, root), "utf8")).join("\n");

test("what /voice takes stands in the documents", () => {
  const nobody = () => {
    throw new Error("nobody listens");
  };
  const { usage = "" } = voiceCommand({
    voice: new Proxy(Object.create(null), { get: nobody }),
    target: nobody,
    settings: () => defaultSettings,
    resolvePath: (path) => path,
  });
  const actions = ["start", ...usage.split(" · ").slice(1)].map((action) => action.split(" ")[0]);
  expect(actions).toContain("devices");
  for (const action of actions) expect(said, action).toContain(`/voice ${action}`);
  for (const [option] of usage.matchAll(/--[a-z-]+/g)) expect(said, option).toContain(option);
  for (const source of ["microphone", "loopback", "both", "file"]) expect(usage).toContain(source);
  expect(said).toMatch(/\/voice start \[microphone .*both.*file/);
});
