import { expect, test } from "vitest";
import { settingRoutes } from "../../../../electron/desktop/ipc/setting-routes.ts";
import { remembered } from "../../../../shared/remembered.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";

function rig(settings: Partial<Settings> = {}) {
  let current: Settings = { ...defaultSettings, ...settings };
  const resets: string[] = [];
  const routes = settingRoutes({
    path: "/settings.json",
    current: () => current,
    change: (values) => {
      current = { ...current, ...values };
    },
    reset: (key) => resets.push(key),
    adoptVoice: async () => {},
    atStart: { ...defaultSettings, ...settings },
    restart: () => {},
    remembered: { current: () => remembered.parse({}), change: () => {} },
  });
  return { routes, current: () => current, resets };
}

test("configurations of servers, which may hold keys, are not told, changed or reset", async () => {
  const { routes, current } = rig({ mcpServers: { one: { env: { TOKEN: "secret" } } } });
  expect(JSON.stringify(routes["setting.list"]())).not.toContain("secret");
  await expect(routes["setting.change"]({ key: "mcpServers", value: {} })).rejects.toThrow(
    "not changed here",
  );
  await expect(routes["setting.reset"]({ key: "mcpServers" })).rejects.toThrow("not changed here");
  expect(current().mcpServers).toEqual({ one: { env: { TOKEN: "secret" } } });
});

test.each([
  ["permissionRules", [{ verdict: "deny", tool: "shell" }], [{ verdict: "allow", tool: "shell" }]],
  ["localModelServers", ["Ollama at 127.0.0.1:11434"], ["Ollama at evil.example"]],
  ["keyAddresses", ["OPENAI_API_KEY of the environment to https://a.example"], ["ANTHROPIC_API_KEY to b"]],
] as const)("to %s nothing is added, only taken away", async (key, known, other) => {
  const { routes, current } = rig({ [key]: [...known] });
  await expect(routes["setting.change"]({ key, value: [...known, ...other] })).rejects.toThrow(
    "only removed",
  );
  await expect(routes["setting.change"]({ key, value: other })).rejects.toThrow("only removed");
  expect(current()[key]).toEqual(known);
  await routes["setting.change"]({ key, value: [] });
  expect(current()[key]).toEqual([]);
});

test("a value that breaks its rule changes nothing", async () => {
  const { routes, current } = rig();
  await expect(routes["setting.change"]({ key: "retryMax", value: 21 })).rejects.toThrow("20");
  expect(current().retryMax).toBe(5);
  await routes["setting.change"]({ key: "retryMax", value: 7 });
  expect(current().retryMax).toBe(7);
});

test("what counts from the next start on is told, until it is as it was", async () => {
  const { routes } = rig();
  const change = (value: boolean) => routes["setting.change"]({ key: "memoryEnabled", value });
  await change(false);
  await routes["setting.change"]({ key: "theme", value: "dark" });
  expect(routes["setting.list"]().waiting).toEqual(["memoryEnabled"]);
  await change(true);
  expect(routes["setting.list"]().waiting).toEqual([]);
});
