import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { commandText } from "../../../electron/fence/command-text.ts";

const parts = {
  file: null,
  temporaryFolder: "/tmp",
  canary: "/nowhere/canary",
  maxFile: 8_388_608,
};
const shells = [
  { path: "/bin/sh", args: [], blockBytes: 512 },
  { path: "/bin/dash", args: [], blockBytes: 512 },
  { path: "/bin/bash", args: ["--posix"], blockBytes: 512 },
  { path: "/bin/bash", args: [], blockBytes: 1024 },
].filter(({ path }) => existsSync(path));

/** What bash, which the command is given to, says of its limits: files in blocks of 1024 bytes. */
test.runIf(process.platform === "linux").each(shells)(
  "$path $args keeps to its bounds",
  ({ path, args, blockBytes }) => {
    const most = Number(execFileSync("/bin/bash", ["-c", "ulimit -Hu"], { encoding: "utf8" })) || 4096;
    const maxProcesses = Math.min(most, 3000);
    const text = commandText({
      ...parts,
      blockBytes,
      maxProcesses,
      command: "ulimit -u; ulimit -f; ulimit -c",
    });
    const said = execFileSync(path, [...args, "-c", text], { encoding: "utf8" });
    expect(said).toBe(`${maxProcesses}\n8192\n0\n`);
  },
);
