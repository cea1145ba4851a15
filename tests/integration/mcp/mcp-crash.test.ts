import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { eventually, livingProcesses } from "../../fakes/processes.ts";

it("kill -9 of Parley leaves no server, and nothing that a server started", async () => {
  const program = resolve(import.meta.dirname, "../../fixtures/mcp-host.ts");
  const host = spawn(process.execPath, ["--import", "tsx", program], {
    stdio: ["ignore", "pipe", "inherit"],
    // A group of its own: what its compiler starts is in it, and not in one that the test looks at.
    detached: true,
  });
  const [said] = await once(host.stdout.setEncoding("utf8"), "data");
  expect(JSON.parse(said)).toEqual(["ready", "ready"]);
  const groups = new Set(
    livingProcesses().flatMap(({ parent, group }) =>
      parent === host.pid && group !== host.pid ? [group] : [],
    ),
  );
  const left = () => livingProcesses().filter(({ group }) => groups.has(group));
  expect(left().filter(({ command }) => /scripted-mcp-server|sleep 1000/.test(command))).toHaveLength(3);
  host.kill("SIGKILL");
  expect(await eventually(() => left().length === 0)).toBe(true);
});
