import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../../../electron/agent/conversation/system-clock.ts";
import { loginShellPath } from "../../../../electron/mcp/config/login-shell.ts";
import { startInGroup } from "../../../../electron/tools/process/process-group.ts";
import { spawnServer } from "../../../../electron/tools/process/spawn-server.ts";
import { FakeClock } from "../../../fakes/clock.ts";
import { livingProcesses } from "../../../fakes/processes.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "parley-shell-"));
});
afterEach(() => rmSync(home, { recursive: true }));

/** A login shell whose start-up files say and do what a test wants. */
function ask(startUp: string, { env = {}, clock = systemClock, platform = "linux" as NodeJS.Platform } = {}) {
  const shell = join(home, "shell");
  writeFileSync(shell, `#!/bin/sh\n[ "$1" = -ilc ] || exit 9\n${startUp}\neval "$2"\n`);
  chmodSync(shell, 0o755);
  const problems: string[] = [];
  const path = loginShellPath({
    env: { PATH: "/usr/bin:/bin", SHELL: shell, ...env },
    platform,
    home,
    spawn: spawnServer(startInGroup),
    clock,
    onProblem: (message) => problems.push(message),
  });
  return { path, problems };
}

it("is what the start-up files make of it, whatever they print", async () => {
  const { path, problems } = ask('echo "Welcome!"; echo /not/this; export PATH="/opt/node/bin:$PATH"');
  expect(await path).toBe("/opt/node/bin:/usr/bin:/bin");
  expect(problems).toEqual([]);
});

it("is not asked for from a terminal, nor on Windows", async () => {
  expect(await ask("exit 1", { env: { TERM: "xterm" } }).path).toBeNull();
  expect(await ask("exit 1", { platform: "win32" }).path).toBeNull();
});

it("is ours where the shell fails or is not there, and that is said", async () => {
  const failing = ask("exit 3");
  expect(await failing.path).toBeNull();
  expect(failing.problems[0]).toContain("did not say its PATH");
  const missing = ask("", { env: { SHELL: "/no/such/shell" } });
  expect(await missing.path).toBeNull();
  expect(missing.problems).toHaveLength(1);
});

it("a shell that hangs is ended after five seconds, with what it started", async () => {
  const clock = new FakeClock();
  const { path, problems } = ask("sleep 4321", { clock });
  await clock.sleeping(5000);
  clock.advance(5000);
  expect(await path).toBeNull();
  expect(problems[0]).toContain("within 5 s");
  expect(livingProcesses().filter(({ command }) => command.includes("sleep 4321"))).toEqual([]);
});
