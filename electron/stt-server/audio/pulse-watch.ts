import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { listPulseDevices } from "./pulse-devices.ts";
import type { DeviceWatch } from "./recovering-source.ts";

/** Watchers that run: they end with this process, however it exits. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const watcher of running) watcher.kill("SIGKILL");
});

/** The sound server's word of devices that come and go, and of its default (`pactl subscribe`); without pactl, none. */
export const pulseWatch: DeviceWatch = {
  onChange(listener) {
    const watcher = spawn("pactl", ["subscribe"], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, LC_ALL: "C" },
    });
    running.add(watcher);
    const forget = () => running.delete(watcher);
    watcher.on("error", forget).on("close", forget);
    createInterface({ input: watcher.stdout }).on("line", (line) => {
      if (/'(new|remove)' on source #|'change' on server/.test(line)) listener();
    });
    return () => void watcher.kill("SIGKILL");
  },
  async list() {
    return (await listPulseDevices()).capture ?? [];
  },
  async default() {
    return (await pulseWatch.list()).find(({ is_default }) => is_default) ?? null;
  },
  defaultMoves: true,
};
