import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type ListenOptions } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { displayTrouble } from "../../../../electron/desktop/launch/display.mjs";

async function listen(place: ListenOptions): Promise<number> {
  const server = createServer((socket) => socket.on("error", () => {}).resume());
  onTestFinished(() => void server.close());
  await once(server.listen(place), "listening");
  return (server.address() as AddressInfo).port;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "display-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const trouble = (env: NodeJS.ProcessEnv) => displayTrouble("parley", env);

describe.runIf(process.platform === "linux")("a display", () => {
  test("of X on this computer answers, with a number of its screen or without", async () => {
    const number = 1_000_000 + process.pid;
    const env = { DISPLAY: `:${number}` };
    expect(await trouble(env)).toContain(`DISPLAY=:${number}.`);
    await listen({ path: `\0/tmp/.X11-unix/X${number}` });
    expect(await trouble(env)).toBeNull();
    expect(await trouble({ DISPLAY: `unix:${number}.0` })).toBeNull();
  });

  test("over a network answers, as that of ssh -X", async () => {
    const number = (await listen({ host: "127.0.0.1", port: 0 })) - 6000;
    expect(await trouble({ DISPLAY: `localhost:${number}.0` })).toBeNull();
    // There is no such port.
    expect(await trouble({ DISPLAY: "localhost:60000" })).toContain("localhost:60000");
  });

  test("of Wayland answers, in the folder of the session or by its path, also where that of X does not", async () => {
    const folder = newFolder();
    const env = { DISPLAY: ":987", WAYLAND_DISPLAY: "wayland-7", XDG_RUNTIME_DIR: folder };
    expect(await trouble(env)).toContain("DISPLAY=:987, WAYLAND_DISPLAY=wayland-7.");
    await listen({ path: join(folder, "wayland-7") });
    expect(await trouble(env)).toBeNull();
    expect(await trouble({ WAYLAND_DISPLAY: join(folder, "wayland-7") })).toBeNull();
    expect(await trouble({ WAYLAND_DISPLAY: "wayland-7" })).toContain("WAYLAND_DISPLAY=wayland-7.");
  });

  test("that nobody named is not there", async () => {
    expect(await trouble({ DISPLAY: "" })).toMatch(/^There is no display .*xvfb-run -a parley$/);
  });
});
