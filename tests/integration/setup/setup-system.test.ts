import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runFile, runScript } from "../../fakes/script.ts";

// What the set-up asks the system is answered by small programs of the same name, first on the PATH: a test
// cannot uninstall this machine's libraries or change its kernel's settings.
const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? { uid: 65534 } : {};

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-system-"));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "bin"));
  cpSync("scripts", join(folder, "scripts"), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

describe.runIf(process.platform === "linux")("shared libraries that Electron needs", () => {
  const script = `
    import { systemLibraries } from "scripts/setup/system-libraries.mjs";
    import { orExit } from "scripts/setup/say.mjs";
    await orExit(() => systemLibraries({ executable: process.env.EXECUTABLE, forTests: process.env.TESTS === "1" }));
  `;

  test("missing for an ordinary user: the exact command is printed, and nothing is installed", async () => {
    program("ldconfig", "echo '  libgtk-3.so.0 (libc6,x86-64) => /lib/libgtk-3.so.0'");
    program("apt-cache", 'case "$2" in *t64) echo "  Candidate: (none)";; esac');
    program("apt-get", `touch ${folder}/called`);
    const { code, stderr } = await run(script, nobody);
    const command =
      "sudo apt-get update && sudo apt-get install -y --no-install-recommends libnss3 libasound2 libgbm1 ";
    expect(stderr).toContain(command);
    expect(stderr).not.toContain("libgtk-3-0");
    expect(code).toBe(1);
    expect(() => readFileSync(join(folder, "called"))).toThrow();
  });

  test("go by the names that this system's apt knows", async () => {
    program("ldconfig", "true");
    program("apt-cache", 'case "$2" in *t64) echo "  Candidate: 1.0";; esac');
    program("apt-get", "true");
    const { stderr } = await run(script, nobody);
    expect(stderr).toMatch(/libgtk-3-0t64 libnss3 libasound2t64 .*libatspi2.0-0t64 libcups2t64/);
  });

  test.runIf(isRoot)("missing for root: they are installed, without a question asked", async () => {
    program("ldconfig", "true");
    program("apt-cache", "true");
    program("apt-get", `echo "$DEBIAN_FRONTEND $*" >> ${folder}/called`);
    const { code } = await run(script);
    expect(code).toBe(0);
    const [update, install] = readFileSync(join(folder, "called"), "utf8").split("\n");
    expect(update).toBe("noninteractive update -qq");
    expect(install).toMatch(
      /^noninteractive install -y -qq --no-install-recommends .*libgtk-3-0.*libnotify4/,
    );
  });

  test.runIf(isRoot)("that apt-get cannot install: its own words, and exit code 1", async () => {
    program("ldconfig", "true");
    program("apt-cache", "true");
    program("apt-get", "echo 'E: Unable to locate package libgtk-3-0' >&2; exit 100");
    const { code, stderr } = await run(script);
    expect(stderr).toContain("E: Unable to locate package libgtk-3-0");
    expect(code).toBe(1);
  });

  test("that nobody foresaw are named, too", async () => {
    everythingIsThere();
    program("ldd", "echo '  libnew.so.7 => not found'");
    const { code, stderr } = await run(script, nobody);
    expect(stderr).toContain("libnew.so.7");
    expect(code).toBe(1);
  });

  test("that are all there cost no call of apt-get", async () => {
    everythingIsThere();
    program("apt-get", `touch ${folder}/called`);
    expect(await run(script, nobody)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(() => readFileSync(join(folder, "called"))).toThrow();
  });
});

describe.runIf(process.platform === "linux")("Chromium's sandbox", () => {
  const script = `
    import { sandboxSwitches } from "scripts/setup/sandbox.mjs";
    import { orExit } from "scripts/setup/say.mjs";
    await orExit(async () => console.log(JSON.stringify(sandboxSwitches(process.env.DIST))));
  `;

  test.runIf(isRoot)("is left out for root, who is told so", async () => {
    const { stdout, stderr } = await run(script);
    expect(stdout).toBe('["--no-sandbox"]\n');
    expect(stderr).toContain("adding --no-sandbox");
  });

  test("that an ordinary user cannot have stops the start with the commands to type", async () => {
    program("unshare", "exit 1");
    writeFileSync(join(folder, "chrome-sandbox"), "");
    const { code, stdout, stderr } = await run(script, nobody);
    expect(stderr).toContain(`sudo chown root:root '${folder}/chrome-sandbox'`);
    expect(stderr).toContain(`sudo chmod 4755 '${folder}/chrome-sandbox'`);
    expect(stdout).not.toContain("--no-sandbox");
    expect(code).toBe(1);
  });

  test.runIf(isRoot)("works once those commands were typed", async () => {
    program("unshare", "exit 1");
    const helper = join(folder, "chrome-sandbox");
    writeFileSync(helper, "");
    chownSync(helper, 0, 0);
    chmodSync(helper, 0o4755);
    expect(await run(script, nobody)).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
  });
});

describe.runIf(process.platform === "linux")("npm start", () => {
  test("without a display says what to type, before it installs anything", async () => {
    const env = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined };
    const { code, stderr } = await runFile("start.mjs", [], { env });
    expect(stderr).toContain("xvfb-run -a npm start");
    expect(code).toBe(1);
  });

  test("with displays at which nothing answers names them, and says what to do, before it installs anything", async () => {
    const env = { DISPLAY: ":987", WAYLAND_DISPLAY: "wayland-987", XDG_RUNTIME_DIR: folder };
    const { code, stderr } = await runFile("start.mjs", [], { env });
    expect(stderr).toMatch(
      /^parley: Nothing answers at .*: DISPLAY=:987, WAYLAND_DISPLAY=wayland-987\. .*ssh -X.*xvfb-run -a npm start\n/,
    );
    expect(code).toBe(1);
  });
});

describe("an unsupported Node", () => {
  test.each([
    ["18.20.4", 1],
    ["20.18.1", 1],
    ["20.19.0", 0],
    ["21.7.3", 1],
    ["22.11.0", 1],
    ["22.12.0", 0],
    ["24.1.0", 0],
  ])("%s ends with exit code %i", async (version, expected) => {
    const pretend = join(folder, "version.cjs");
    const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`;
    writeFileSync(pretend, `Object.defineProperty(process, "versions", { value: ${versions} });`);
    const { code, stderr } = await runFile("setup/node-version.cjs", [], {
      env: { NODE_OPTIONS: `-r ${pretend}` },
    });
    expect(code).toBe(expected);
    expect(stderr.trim().split("\n").filter(Boolean)).toHaveLength(expected);
  });
});

describe("a program that is run to its end", () => {
  const script = `
    import { runToEnd } from "scripts/setup/run-to-end.mjs";
    await runToEnd(process.execPath, ["-e", process.env.PROGRAM]);
  `;

  test("gives its exit code to the command", async () => {
    expect((await run(script, { env: { PROGRAM: "process.exit(7)" } })).code).toBe(7);
  });

  test("gets the signals that reach the command, and may end in its own way", async () => {
    const program = `
      process.on("SIGTERM", () => { console.log("ending"); process.exit(3); });
      setTimeout(() => process.exit(9), 20_000);
      process.kill(process.ppid, "SIGTERM");
    `;
    expect(await run(script, { env: { PROGRAM: program } })).toMatchObject({ code: 3, stdout: "ending\n" });
  });
});

describe.runIf(process.platform === "linux")("the tests' own desktop", () => {
  test("is a working screen, and is gone afterwards", async () => {
    const script = `
      import { existsSync } from "node:fs";
      import { withPrivateDesktop } from "scripts/setup/display.mjs";
      const socket = (display) => existsSync("/tmp/.X11-unix/X" + display.slice(1));
      let display;
      const during = await withPrivateDesktop(async (env) => {
        display = env.DISPLAY;
        return [socket(display), env.DBUS_SESSION_BUS_ADDRESS.startsWith("unix:")];
      });
      console.log(JSON.stringify([...during, socket(display)]));
    `;
    expect(await runScript(script)).toEqual({ code: 0, stdout: "[true,true,false]\n", stderr: "" });
  });
});

function run(script: string, options: { uid?: number; env?: Record<string, string> } = {}) {
  const env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    EXECUTABLE: "/bin/sh",
    DIST: folder,
    HOME: folder,
    ...options.env,
  };
  return runScript(script, { ...options, cwd: "/", scripts: join(folder, "scripts"), env });
}

function program(name: string, body: string): void {
  writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

function everythingIsThere(): void {
  const source = readFileSync("scripts/setup/system-libraries.mjs", "utf8");
  const names = [...source.matchAll(/"(lib\S+\.so[.\d]*)":/g)].map(([, name]) => `  ${name} (libc6) => /lib`);
  program("ldconfig", `cat <<'END'\n${names.join("\n")}\nEND`);
  program("ldd", "true");
  mkdirSync(join(folder, ".local/share/fonts"), { recursive: true });
  writeFileSync(join(folder, ".local/share/fonts/a.ttf"), "");
}
