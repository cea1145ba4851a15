import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { modelChecks } from "../../../electron/desktop/doctor/model-checks.ts";
import { runCheck } from "../../../electron/desktop/doctor/run-check.ts";
import { type SystemChecksOptions, systemChecks } from "../../../electron/desktop/doctor/system-checks.ts";
import { hasTrayHost } from "../../../electron/desktop/doctor/tray-host.ts";
import { createProvider, describeProvider } from "../../../electron/providers/create-provider.ts";
import { openLocalEnvironment } from "../../../electron/tools/environment/local-environment.ts";
import type { CheckName } from "../../../shared/doctor.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";
import { createModelServer } from "../../fakes/model-server/model-server.ts";
import { startTrayPanel } from "../../fakes/tray-panel/tray-panel.ts";
import { fenceRig } from "../../fixtures/fences.ts";

// Each with a real part, and with that part broken.

const now = () => performance.now();
const key = "sk-ant-api03-0123456789abcdefghijklmnop";
const redact = (text: string) => text.replaceAll(key, "…");

/** @param env what the user has set */
function model(name: "key" | "model", env: Record<string, string>, own: Partial<Settings> = {}) {
  const settings = { ...defaultSettings, ...own };
  const places = { environment: env, app: {}, file: {} };
  const [first, second] = modelChecks({
    settings: () => settings,
    describe: (current) => describeProvider(current, env),
    newProvider: (current) => createProvider(current, { clock: new InstantClock(), newId: () => "id", env }),
    places: () => places,
    folderKeys: () => ({}),
    findServer: async () => null,
    now,
  });
  const check = name === "key" ? first : second;
  if (!check) throw new Error("It is gone.");
  return runCheck(check, { now, redact });
}

test("a key is found with the place that it stands in; its value is nowhere", async () => {
  const result = await model("key", { ANTHROPIC_API_KEY: key });
  expect(result).toMatchObject({ state: "ok", found: "ANTHROPIC_API_KEY, from the environment." });
  expect(await model("key", {}, { provider: "anthropic" })).toMatchObject({
    state: "failed",
    found: "No key for Anthropic.",
  });
  expect(await model("key", {})).toMatchObject({ state: "limited" });
});

test("a model that answers is ok; one that refuses the key is not, and says what to do", async () => {
  const server = await createModelServer();
  onTestFinished(() => server.close());
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  expect(await model("model", env)).toMatchObject({ state: "ok" });
  const refusing = createServer((_, response) => {
    const error = { type: "authentication_error", message: `invalid x-api-key ${key}` };
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ type: "error", error }));
  });
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void refusing.close(() => resolve())));
  const address = refusing.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const refused = await model("model", { ...env, ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` });
  expect(refused).toMatchObject({ state: "failed", found: `127.0.0.1:${port} refused the key.` });
  expect(refused.todo).toContain("/key");
  expect(JSON.stringify(refused)).not.toContain(key);
});

async function system(name: CheckName, options: Partial<SystemChecksOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "doctor-"));
  mkdirSync(join(folder, "data"));
  const checks = systemChecks({
    checkFence: async () => ({ isThere: true }),
    isFenceOn: () => true,
    cipher: () => cipher,
    tryShortcut: async () => ({ key: "Alt+Space", problem: null }),
    hasTray: async () => true,
    userData: join(folder, "data"),
    workingFolder: await openLocalEnvironment(join(folder, "work"), {}),
    ...options,
  });
  const check = checks.find((one) => one.name === name);
  if (!check) throw new Error("It is gone.");
  return await runCheck(check, { now, redact });
}

const cipher = {
  backend: "a keyring",
  canBeWeak: false,
  isGuarded: () => true,
  encrypt: (text: string) => Buffer.from(text).reverse(),
  decrypt: (bytes: Uint8Array) => Buffer.from(bytes).reverse().toString(),
};

test.skipIf(process.platform !== "linux")(
  "the fence holds; without bubblewrap it says what to install",
  async () => {
    const there = fenceRig();
    onTestFinished(() => there.fences.dispose());
    expect(await system("fence", { checkFence: () => there.fences.check() })).toMatchObject({ state: "ok" });
    const missing = fenceRig({ programs: () => ({ socat: "/usr/bin/socat" }) });
    onTestFinished(() => missing.fences.dispose());
    const result = await system("fence", { checkFence: () => missing.fences.check() });
    expect(result.state).toBe("limited");
    expect(result.todo).toContain("apt-get install bubblewrap");
  },
);

test("a key store seals and opens; one that is locked has failed, one that is missing is told", async () => {
  expect(await system("keyStore")).toMatchObject({ state: "ok" });
  const locked = {
    ...cipher,
    encrypt: () => {
      throw new Error("The keyring is locked.");
    },
  };
  const result = await system("keyStore", { cipher: () => locked });
  expect(result).toMatchObject({ state: "failed", found: "The keyring is locked." });
  expect(await system("keyStore", { cipher: () => ({ ...cipher, isGuarded: () => false }) })).toMatchObject({
    state: "limited",
  });
  const wrong = { ...cipher, decrypt: () => "something else" };
  expect(await system("keyStore", { cipher: () => wrong })).toMatchObject({ state: "failed" });
});

test("files are written to both folders; a folder that takes none is named", async () => {
  expect(await system("disk")).toMatchObject({ state: "ok" });
  const file = join(mkdtempSync(join(tmpdir(), "doctor-")), "file");
  writeFileSync(file, "");
  // A file where the folder should be: nobody can write below it, root neither.
  const result = await system("disk", { userData: file });
  expect(result.state).toBe("failed");
  expect(result.found).toContain(file);
  const gone = {
    workingDirectory: "/gone",
    writeFile: async () => {
      throw new Error("The file system is read-only.");
    },
    readFile: async () => ({ bytes: new Uint8Array(), totalBytes: 0 }),
    deleteFile: async () => {},
  };
  expect(await system("disk", { workingFolder: gone })).toMatchObject({
    state: "limited",
    todo: "Choose another working folder.",
  });
});

test.skipIf(process.platform !== "linux")(
  "tray icons are shown where a desktop takes them, and nobody knows where no program can ask",
  async () => {
    const { signal } = new AbortController();
    const panel = await startTrayPanel();
    onTestFinished(() => panel.dispose());
    const env = { PATH: process.env.PATH };
    expect(await hasTrayHost({ ...env, DBUS_SESSION_BUS_ADDRESS: panel.address }, signal)).toBe(true);
    expect(await hasTrayHost({ ...env, DBUS_SESSION_BUS_ADDRESS: "unix:path=/gone" }, signal)).toBe(false);
    const empty = mkdtempSync(join(tmpdir(), "doctor-"));
    chmodSync(empty, 0o700);
    expect(await hasTrayHost({ PATH: empty }, signal)).toBe(null);
  },
);

test("no tray and no shortcuts: Parley goes on without", async () => {
  expect(await system("tray", { hasTray: async () => false })).toMatchObject({ state: "limited" });
  const tryShortcut = async () => ({ key: "Alt+Space", problem: "Another program has Alt+Space." });
  expect(await system("shortcut", { tryShortcut })).toMatchObject({
    state: "limited",
    found: "Another program has Alt+Space.",
  });
});
