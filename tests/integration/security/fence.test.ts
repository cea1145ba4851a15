import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { FenceReport } from "../../../electron/agent/ports/ports.ts";
import { TimeLimit } from "../../../electron/tools/process/time-limit.ts";
import { attackCameThrough } from "../../../scripts/test/grave.mjs";
import { livingProcesses } from "../../fakes/processes.ts";
import { whyNoFence } from "../../fixtures/fence-there.ts";
import { type FencedShell, fencedShell, git } from "../../fixtures/fenced.ts";

const withoutFence = (await whyNoFence()) !== null;

let shell: FencedShell;

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

beforeAll(async () => {
  shell = await fencedShell();
});
afterAll(() => shell.close());

describe.skipIf(withoutFence)("commands in a fence", () => {
  test("this computer has one", async () => {
    expect(await shell.fences.check()).toEqual({ isThere: true });
  });

  // Bug: two looks at once had one process, which the first to be done ended.
  test("which is found by each that looks at the same time", async () => {
    const looks = Array.from({ length: 3 }, () => shell.fences.check());
    expect(await Promise.all(looks)).toEqual(Array(3).fill({ isThere: true }));
    expect(shell.fences.state()).toEqual({ isThere: true });
  });

  describe("writes", () => {
    test("the working folder and its own temporary folder, and nothing else", async () => {
      const elsewhere = [join(shell.outside, "x"), "/etc/x", "~/x", "/usr/x", "/var/x"];
      const { output } = await shell.run(
        `echo in > inside; echo t > $TMPDIR/t && cat $TMPDIR/t; for f in ${elsewhere.join(" ")}; do touch $f && echo "wrote $f"; done`,
      );
      expect(readFileSync(join(shell.folder, "inside"), "utf8")).toBe("in\n");
      expect(output).toContain("t\n");
      expect(output).not.toContain("wrote /etc");
      expect(
        elsewhere.filter((path) => existsSync(path.replace("~", shell.place.home))),
        attackCameThrough,
      ).toEqual([]);
    });

    test("to look, its temporary folder alone", async () => {
      const { output, fenced } = await shell.run("echo x > looked; echo y > $TMPDIR/y && cat $TMPDIR/y", {
        confinement: "look",
      });
      expect(existsSync(join(shell.folder, "looked"))).toBe(false);
      expect(output).toContain("y\n");
      expect(fenced?.notes.join()).toContain("may have refused a write");
    });

    test("the temporary folder is gone afterwards, and another command's is not there", async () => {
      const { output } = await shell.run("echo $TMPDIR; ls -d $(dirname $TMPDIR)/t-* | wc -l");
      const [folder = "", count] = output.trim().split("\n");
      expect(existsSync(folder)).toBe(false);
      expect(count?.trim()).toBe("1");
    });

    test("what decides what runs elsewhere is read-only, also when its folder would be moved away", async () => {
      mkdirSync(join(shell.folder, "pkg/.vscode"), { recursive: true });
      writeFileSync(join(shell.folder, "pkg/.vscode/tasks.json"), "{}");
      await shell.run("echo 1 > pkg/.vscode/tasks.json; rm -rf pkg/.vscode; mv pkg pkg2; rm -rf pkg");
      expect(readFileSync(join(shell.folder, "pkg/.vscode/tasks.json"), "utf8")).toBe("{}");
    });

    test.each([".vscode/tasks.json", "deep/down/.envrc", ".mcp.json", ".parley/permissions.json"])(
      "what appears of it is put aside, and comes back when the user allows it: %s",
      async (path) => {
        const { fenced } = await shell.run(`mkdir -p $(dirname ${path}); echo made > ${path}`);
        expect(existsSync(join(shell.folder, path))).toBe(false);
        expect(fenced?.putAside?.paths.join()).toContain(
          path.split("/")[0] === "deep" ? ".envrc" : path.split("/")[0],
        );
        await fenced?.putAside?.putBack();
        expect(readFileSync(join(shell.folder, path), "utf8")).toBe("made\n");
        execFileSync("rm", ["-rf", join(shell.folder, path.split("/")[0] ?? "")]);
      },
    );

    // Bug: the card showed the first 2,000 characters as if they were all.
    test("the card shows both ends of a long one, and says how much it leaves out", async () => {
      const { fenced } = await shell.run(
        "{ echo '# first'; yes '# more' | head -c 60000; echo; echo 'run-evil'; } > .envrc",
      );
      const detail = fenced?.putAside?.detail ?? "";
      expect(detail).toMatch(/# first[\s\S]*… \(40,0\d\d characters are not shown here\) …[\s\S]*run-evil/);
      expect(detail.length).toBeLessThan(21_000);
    });

    // Bug: a yes to what a command had left so far was a yes to whatever it wrote there later.
    test("what was allowed is put aside again when the command that left it writes on in it", async () => {
      const own = await fencedShell();
      const has = (name: string) => existsSync(join(own.folder, name));
      const running = own.run(
        "mkdir .vscode; echo '{}' > .vscode/settings.json; touch made; until [ -e go ]; do sleep .1; done; echo evil > .vscode/tasks.json",
      );
      await expect.poll(() => has("made"), { timeout: 30_000 }).toBe(true);
      const beside = await own.run("true");
      expect(beside.fenced?.putAside?.paths).toEqual([".vscode"]);
      await beside.fenced?.putAside?.putBack();
      // It stays for as long as it is what the user saw.
      expect((await own.run("true")).fenced?.putAside).toBeNull();
      expect(has(".vscode/settings.json")).toBe(true);
      writeFileSync(join(own.folder, "go"), "");
      expect((await running).fenced?.putAside?.paths).toEqual([".vscode"]);
      expect(has(".vscode")).toBe(false);
      await own.close();
    });

    test("also as a link, and by a new name for a folder", async () => {
      mkdirSync(join(shell.folder, "plain"));
      writeFileSync(join(shell.folder, "plain/tasks.json"), "{}");
      await shell.run("ln -s inside .envrc; mv plain .vscode");
      expect(readdirSync(shell.folder)).not.toContain(".envrc");
      expect(readdirSync(shell.folder)).not.toContain(".vscode");
    });

    test("Parley's data cannot be written, where it is the working folder itself", async () => {
      const own: string[] = [];
      const rig = await fencedShell({ place: { own } });
      own.push(rig.folder);
      await rig.run("touch x; echo y > y");
      expect(readdirSync(rig.folder), attackCameThrough).toEqual([]);
      await rig.close();
    });

    test("nor can a folder of the PATH", async () => {
      const env: Record<string, string> = {};
      const rig = await fencedShell({ place: { env } });
      mkdirSync(join(rig.folder, "bin"));
      env.PATH = `/usr/bin:/bin:${join(rig.folder, "bin")}`;
      await rig.run("touch bin/ls; mv bin bin2");
      expect(readdirSync(rig.folder)).toEqual(["bin"]);
      expect(readdirSync(join(rig.folder, "bin")), attackCameThrough).toEqual([]);
      await rig.close();
    });
  });

  describe("reads", () => {
    test("nothing of the home folder, of other folders, of Parley's data", async () => {
      writeFileSync(join(shell.outside, "canary"), "canary-7");
      const { output, fenced } = await shell.run(
        `cat ${join(shell.outside, "canary")}; find / -name canary -not -path '/proc/*' 2>/dev/null`,
      );
      expect(output, attackCameThrough).not.toContain("canary-7");
      expect(
        output.split("\n").filter((line) => line.endsWith("/canary")),
        attackCameThrough,
      ).toEqual([]);
      expect(fenced?.notes.join()).toContain("The fence hides");
    });

    test("what holds keys is hidden, in git's index or not", async () => {
      writeFileSync(join(shell.folder, ".env"), "KEY=canary-8\n");
      mkdirSync(join(shell.folder, "conf"), { recursive: true });
      writeFileSync(join(shell.folder, "conf/server.pem"), "canary-9\n");
      const command =
        "cat .env conf/server.pem; cp -r . $TMPDIR/copy; grep -r canary- . $TMPDIR/copy; tar c . | strings | grep canary-";
      const { output, fenced } = await shell.run(command);
      expect(output, attackCameThrough).not.toMatch(/canary-[89]/);
      expect(fenced?.notes.join()).toContain("The fence hides .env");
    });

    test("what a rule denies is hidden and read-only", async () => {
      writeFileSync(join(shell.folder, "plan.txt"), "canary-10");
      const denied = {
        globs: [join(shell.folder, "plan.txt")],
        fits: (path: string) => path.endsWith("/plan.txt"),
      };
      const { output } = await shell.run("cat plan.txt; echo x > plan.txt; mv plan.txt p2; cat p2", {
        denied,
      });
      expect(output, attackCameThrough).not.toContain("canary-10");
      expect(readFileSync(join(shell.folder, "plan.txt"), "utf8"), attackCameThrough).toBe("canary-10");
    });

    // Bug: what a rule denies was there to be read among packages, and far down in caches.
    test("what a rule denies is hidden among packages, too", async () => {
      const files = ["node_modules/a/.env", ".venv/lib/private/deep/b.txt", ".cache/a/.env"];
      for (const path of files) {
        mkdirSync(dirname(join(shell.folder, path)), { recursive: true });
        writeFileSync(join(shell.folder, path), `canary-11 ${path}\n`);
      }
      const globs = [join(shell.folder, "**/.env"), join(shell.folder, ".venv/lib/private/**")];
      const denied = { globs, fits: () => false };
      for (const confinement of ["look", "change"] as const) {
        const { output } = await shell.run(`cat ${files.join(" ")}; grep -rh canary-11 .`, {
          confinement,
          denied,
        });
        expect(output, attackCameThrough).not.toContain("canary-11");
      }
    });

    test("tool chains and programs work", async () => {
      const { output, exitCode } = await shell.run("node -p 6*7 && git --version && python3 -c 'print(3)'");
      expect(output).toContain("42\n");
      expect(exitCode).toBe(0);
    });
  });

  describe("out", () => {
    test("hosts are asked for once, refused with the reason, and told exactly", async () => {
      const asked: string[] = [];
      const askHost = async ({ host }: { host: string }) => {
        asked.push(host);
        return false;
      };
      const command =
        "curl -sS -o /dev/null https://one.example.com; curl -sS -o /dev/null https://one.example.com";
      const { fenced } = await shell.run(command, { askHost });
      expect(asked).toEqual(["one.example.com"]);
      expect(fenced?.refusedHosts).toEqual([
        { host: "one.example.com", port: 443, why: "the user did not allow it" },
      ]);
      shell.fences.forgetHosts("conversation");
      await shell.run(command, { askHost });
      expect(asked).toEqual(["one.example.com", "one.example.com"]);
    });

    // Bug: a host that was once allowed, to a command or a server, stayed allowed whatever rule denied it later.
    test("a host that a rule denies is not even asked for, whatever was answered before", async () => {
      const denied: string[] = [];
      const other = await fencedShell({ deniesHost: ({ host }) => denied.includes(host) });
      const asked: string[] = [];
      const askHost = async ({ host }: { host: string }) => asked.push(host) > 0;
      const command = "curl -sS -m 5 -o /dev/null http://three.example.invalid";
      await other.run(command, { askHost });
      denied.push("three.example.invalid");
      const { fenced } = await other.run(command, { askHost });
      await other.close();
      expect(asked).toEqual(["three.example.invalid"]);
      expect(fenced?.refusedHosts).toEqual([
        { host: "three.example.invalid", port: 80, why: "a rule denies it" },
      ]);
    });

    test.each([
      "127.0.0.1",
      "localhost.",
      "169.254.169.254",
      "168.63.129.16",
      "10.0.0.1",
      "[::1]",
      "2130706433",
    ])("%s is not even asked for", async (host) => {
      const asked: string[] = [];
      const server = createServer((_, response) => response.end("reached-11")).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      const { port } = server.address() as AddressInfo;
      const { output } = await shell.run(
        `curl -sS -m 5 --noproxy '' http://${host}:${port}/; curl -sS -m 5 --noproxy '*' http://${host}:${port}/`,
        { askHost: async (one) => asked.push(one.host) > 0 },
      );
      server.close();
      expect(asked).toEqual([]);
      expect(output, attackCameThrough).not.toContain("reached-11");
    });

    test("waiting for the answer counts for no time limit", async () => {
      const asked = deferred<void>();
      const answer = deferred<boolean>();
      const askHost = () => {
        asked.resolve();
        return answer.promise;
      };
      const command = "curl -sS -o /dev/null https://two.example.com; echo went on";
      const pause = vi.spyOn(TimeLimit.prototype, "pause");
      const done = shell.run(command, { askHost });
      await asked.promise;
      expect(pause.mock.calls).toEqual([[true]]);
      answer.resolve(false);
      expect(await done).toMatchObject({ timedOut: false, output: expect.stringContaining("went on") });
      expect(pause.mock.calls).toEqual([[true], [false]]);
      pause.mockRestore();
    });

    test("no socket of the session, no other process, no namespace of its own", async () => {
      const { output } = await shell.run(
        "ls /run /tmp/.X11-unix /var/run 2>/dev/null; ls -d /proc/[0-9]* | wc -l; unshare -Urm true && echo unshared; cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness && echo wrote",
      );
      expect(output).not.toMatch(/unshared|wrote|X0|bus|docker/);
      expect(Number(/^\d+$/m.exec(output)?.[0])).toBeLessThan(20);
    });
  });

  describe("git", () => {
    test("init, add, commit and clone work; hidden files are not added", async () => {
      const repository = await fencedShell();
      writeFileSync(join(repository.folder, ".env"), "KEY=1\n");
      writeFileSync(join(repository.folder, "a.txt"), "a\n");
      const { exitCode, output, fenced } = await repository.run(
        "git init -q && git add -A && git -c user.name=T -c user.email=t@example.com commit -qm one && git clone -q . copy && git -C copy log --oneline",
      );
      expect(output).toMatch(/[0-9a-f]{7} one/);
      expect(exitCode).toBe(0);
      expect(fenced?.putAside).toBeNull();
      expect(git(repository.folder, "ls-files").trim()).toBe("a.txt");
      await repository.close();
    });

    test("a hidden file in the index is not committed as empty", async () => {
      const repository = await fencedShell();
      git(repository.folder, "init", "-q");
      writeFileSync(join(repository.folder, ".env"), "KEY=1\n");
      git(repository.folder, "add", "-A");
      git(repository.folder, "commit", "-qm", "one");
      writeFileSync(join(repository.folder, "b.txt"), "b\n");
      const { fenced } = await repository.run("git add -A; git commit -qm two");
      expect(git(repository.folder, "show", "HEAD:.env")).toBe("KEY=1\n");
      expect(fenced?.notes.join()).toContain("The fence hides .env");
      await repository.close();
    });

    test.each([
      [
        "a hook",
        "mkdir -p r && git init -q r && printf '#!/bin/sh\\ntouch ran' > r/.git/hooks/pre-commit && chmod +x r/.git/hooks/pre-commit",
      ],
      ["fsmonitor", "git init -q r && git -C r config core.fsmonitor 'touch ran #'"],
      ["an include", "git init -q r && git -C r config include.path ../../evil"],
      ["a remote that is a program", "git init -q r && git -C r config remote.x.url 'ext::sh -c touch% ran'"],
      [
        "a bare repository",
        "git init -q --bare r && git config --file r/config core.fsmonitor 'touch ran #' && git config --file r/config core.worktree .. && git config --file r/config core.bare false",
      ],
      ["a pointer to another repository", "git init -q --bare e && mkdir r && echo 'gitdir: ../e' > r/.git"],
    ])("a repository that runs something is put aside: %s", async (_, command) => {
      const repository = await fencedShell();
      const { fenced } = await repository.run(command);
      expect(fenced?.putAside?.paths.length).toBeGreaterThan(0);
      try {
        execFileSync("git", ["status"], { cwd: join(repository.folder, "r"), stdio: "ignore" });
      } catch {
        // It is no repository any more.
      }
      expect(readdirSync(join(repository.folder, "r"))).not.toContain("ran");
      expect(readdirSync(repository.folder)).not.toContain("ran");
      await repository.close();
    });
  });

  // Bug: an entry of the index led git to repositories where nobody had looked, and the user's next `git status` ran their programs.
  test("no repository that a command leaves anywhere runs anything in the user's own git", async () => {
    const own = await fencedShell();
    git(own.folder, "init", "-q");
    git(own.folder, "commit", "-q", "--allow-empty", "-m", "first");
    const { fenced } = await own.run(`
      link() { git update-index --add --cacheinfo 160000,$(git -C $1 rev-parse HEAD),$1; }
      empty() { git -C $1 -c user.email=a@b -c user.name=a commit -q --allow-empty -m y; }
      for at in target node_modules/x .aws .venv/lib/y; do
        mkdir -p $at; git -C $at init -q; empty $at; link $at
        git -C $at config core.fsmonitor "touch $PWD/ran-$(basename $at); false"
      done
      git init -q .git/modules/logs; mkdir sub; echo 'gitdir: ../.git/modules/logs/.git' > sub/.git; empty sub; link sub
      git -C sub config core.fsmonitor "touch $PWD/ran-sub; false"
      rm -f ran-*`);
    expect(fenced?.putAside?.paths.length).toBeGreaterThan(4);
    execFileSync("git", ["status", "--short"], { cwd: own.folder, stdio: "ignore" });
    expect(
      readdirSync(own.folder).filter((name) => name.startsWith("ran")),
      attackCameThrough,
    ).toEqual([]);
    await own.close();
  });

  // Bug: the shell that makes the fence read the files and variables of whoever may write in it.
  test.each([
    ["BASH_ENV", (evil: string) => ({ BASH_ENV: evil })],
    ["ENV, in a shell that is none of bash", (evil: string) => ({ ENV: evil, POSIXLY_CORRECT: "1" })],
    ["PS4 and xtrace", (evil: string) => ({ PS4: `$(. ${evil})`, SHELLOPTS: "xtrace" })],
    [
      "a function of its own",
      (evil: string) => ({ "BASH_FUNC_exec%%": `() { . ${evil}; builtin exec "$@"; }` }),
    ],
  ])("%s is obeyed in the fence alone", async (_, variables) => {
    const own = await fencedShell();
    const ran = join(own.outside, "ran");
    writeFileSync(join(own.folder, "evil"), `touch ${ran} 2>/dev/null\n`);
    const fence = own.fences.of("own", own.folder);
    const env = { PATH: "/usr/bin:/bin", HOME: own.folder, ...variables(join(own.folder, "evil")) };
    const wrapped = await fence.wrap({
      command: "echo hi",
      folder: own.folder,
      env,
      confinement: "change",
      readOnly: [],
    });
    const output = execFileSync("/bin/bash", ["-c", `exec /bin/bash -c "$1"`, "bash", wrapped.line], {
      ...{ cwd: own.folder, env: wrapped.env, encoding: "utf8" },
    });
    await wrapped.ended(output, 0);
    expect(output).toContain("hi");
    expect(existsSync(ran)).toBe(false);
    await own.close();
  });

  describe("names that anybody can make", () => {
    // Bug: the name of a folder ended the quotes of another, and what was in that one ran outside of the fence.
    test("run nothing outside, and hide what is to be hidden", async () => {
      const odd = await fencedShell();
      const ran = join(odd.outside, "ran");
      const secret = join(odd.folder, "x --dev /dev y");
      const settings = join(odd.folder, `a$(touch ${ran.replaceAll("/", "$(printf \\057)")})b`);
      for (const folder of [secret, settings]) mkdirSync(folder, { recursive: true });
      writeFileSync(join(secret, ".env"), "KEY=secret-in-env\n");
      writeFileSync(join(settings, ".npmrc"), "//registry.example/:_authToken=secret-in-npmrc\n");
      const { output } = await odd.run(
        "find . -name .env -exec cat {} + ; find . -name .npmrc -exec cat {} +; echo end",
      );
      expect(existsSync(ran)).toBe(false);
      expect(output).toContain("end\n");
      expect(output).not.toContain("secret-in-");
      await odd.close();
    });

    test("of a repository show no keys", async () => {
      const bare = await fencedShell();
      mkdirSync(join(bare.folder, ".next/standalone"), { recursive: true });
      for (const path of [".env", ".next/standalone/.env"])
        writeFileSync(join(bare.folder, path), "KEY=secret\n");
      await bare.run("mkdir -p objects refs; touch HEAD objects/k refs/k");
      const { output } = await bare.run("cat .env .next/standalone/.env; echo end");
      expect(output).toBe("end\n");
      await bare.close();
    });
  });

  describe("bounds", () => {
    const ended = (fenced: FenceReport | null) => fenced?.ended ?? "";

    test("a fork bomb ends as a whole", async () => {
      const small = await fencedShell({ chosen: { maxProcesses: 64 } });
      const { fenced } = await small.run("bomb() { bomb | bomb & }; bomb; wait; sleep 60");
      expect(ended(fenced)).toContain("more than 64 processes");
      const left = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
      expect(left).not.toContain("bomb() {");
      await small.close();
    });

    test.each([
      ["in a process", "python3 -c 'b = []\nwhile True: b.append(bytearray(10_000_000))'"],
      ["in a file in memory", "dd if=/dev/zero of=/dev/shm/x bs=1M count=4000 2>/dev/null; sleep 60"],
    ])("too much memory ends it as a whole: %s", async (_, command) => {
      const small = await fencedShell({ chosen: { maxMemoryMb: 300 } });
      const { fenced } = await small.run(command);
      expect(ended(fenced)).toContain("300 MB of memory");
      await small.close();
    });
  });

  const patient = { timeout: 30_000 };

  test("no ghost of a protected path is left, after kill -9 of its process neither", async () => {
    const rig = await fencedShell();
    const running = rig.run("echo started; sleep 60.25");
    const children = () => execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" }).split("\n");
    const isOurs = (line: string) => line.trim().split(/\s+/)[1] === String(process.pid);
    const mine = () => children().filter((line) => line.includes("fence-utility-source") && isOurs(line));
    const fenced = () => children().find((line) => line.includes("bwrap") && line.includes(rig.folder));
    const said = () => children().some((line) => line.trim().endsWith(" sleep 60.25"));
    await expect.poll(said, patient).toBe(true);
    const [runtime = ""] = /parley-fence-\d+-\w+/.exec(fenced() ?? "") ?? [];
    expect(runtime).not.toBe("");
    for (const line of mine()) process.kill(Number(line.trim().split(" ")[0]), "SIGKILL");
    const { fenced: report, output } = await running;
    expect(report?.ended).toBe("the process of its fence ended");
    expect(output).toContain("started");
    expect(readdirSync(rig.folder), attackCameThrough).toEqual([]);
    // The next one has a process of its own.
    expect((await rig.run("echo again")).output).toBe("again\n");
    expect(readdirSync(rig.folder), attackCameThrough).toEqual([]);
    await rig.close();
    const left = () => children().filter((line) => line.includes("socat") && line.includes(runtime));
    await expect.poll(left, patient).toEqual([]);
  });
});

describe("where there is no fence, nothing runs by accident", () => {
  let tools: string;
  beforeEach(() => {
    tools = execFileSync("mktemp", ["-d"], { encoding: "utf8" }).trim();
  });

  const program = (name: string, script: string) => {
    const path = join(tools, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return path;
  };

  test.skipIf(withoutFence)(
    "one that is installed meanwhile is worth another look, which finds it",
    async () => {
      let programs = {};
      const rig = await fencedShell({ programs: () => programs });
      const missing = await rig.fences.check();
      expect([missing.isThere, rig.fences.hasChanged()]).toEqual([false, false]);
      programs = { bwrap: "/usr/bin/bwrap", socat: "/usr/bin/socat" };
      expect(rig.fences.hasChanged()).toBe(true);
      const look = rig.fences.check();
      expect([rig.fences.state(), rig.fences.hasChanged()]).toMatchObject([{ isChecking: true }, false]);
      expect(await look).toEqual({ isThere: true });
      expect(rig.fences.hasChanged()).toBe(false);
      await rig.close();
    },
  );

  // Bug: from then on each turn ended in that error.
  test.skipIf(withoutFence)(
    "a look that fails itself says why, and the next one finds the fence",
    async () => {
      const temporaryFolder = join(tools, "gone");
      const rig = await fencedShell({ place: { temporaryFolder } });
      expect(await rig.fences.check()).toMatchObject({
        isThere: false,
        why: expect.stringMatching(/^The fence could not be set up: ENOENT/),
      });
      expect(rig.fences.hasChanged()).toBe(true);
      mkdirSync(temporaryFolder);
      expect(await rig.fences.check()).toEqual({ isThere: true });
      expect(rig.fences.hasChanged()).toBe(false);
      await rig.close();
    },
  );

  test.skipIf(withoutFence)("so does one that fails while the fence is being set up", async () => {
    const cachesFolder = join(tools, "caches");
    writeFileSync(cachesFolder, "a file where a folder is to be");
    const rig = await fencedShell({ place: { cachesFolder } });
    expect(await rig.fences.check()).toMatchObject({
      isThere: false,
      why: expect.stringContaining("ENOTDIR"),
    });
    expect(rig.fences.hasChanged()).toBe(true);
    rmSync(cachesFolder);
    expect(await rig.fences.check()).toEqual({ isThere: true });
    await rig.close();
  });

  test("no bubblewrap, no socat: what to install", async () => {
    const rig = await fencedShell({ programs: () => ({}) });
    expect(await rig.fences.check()).toMatchObject({
      isThere: false,
      why: expect.stringContaining("bubblewrap and socat"),
      mend: "sudo apt-get install bubblewrap socat",
    });
    await rig.close();
  });

  test.each([
    [
      "one that runs commands as they are",
      `while [ "$1" != -- ] && [ $# -gt 0 ]; do shift; done; shift; exec "$@"`,
    ],
    ["one that says nothing and succeeds", "exit 0"],
    ["one that refuses", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1"],
  ])("a bubblewrap that lies or is broken: %s", async (_, script) => {
    const rig = await fencedShell({
      programs: () => ({ bwrap: program("bwrap", script), socat: "/usr/bin/socat" }),
    });
    const state = await rig.fences.check();
    expect(state.isThere).toBe(false);
    await rig.run(`touch ${join(rig.outside, "ran")}; touch ${join(rig.folder, "ran")}`).catch(() => {});
    expect(existsSync(join(rig.outside, "ran"))).toBe(false);
    expect(existsSync(join(rig.folder, "ran"))).toBe(false);
    await rig.close();
  });

  // Bug: what is left of a look held the files that we had open, and by them Chromium's other processes, for ever.
  test("our death by kill -9 ends a look for a fence that has no end", async () => {
    const bwrap = program(
      "bwrap",
      `case "$*" in *--unshare-net*) trap "" TERM HUP; while true; do sleep 1; done; esac; exec /usr/bin/bwrap "$@"`,
    );
    const host = fileURLToPath(new URL("../../fakes/fence-check-host.ts", import.meta.url));
    const looking = spawn(process.execPath, ["--import", "tsx", host, bwrap], { stdio: "inherit" });
    const left = () => livingProcesses().filter(({ command }) => command.includes(bwrap));
    const patient = { timeout: 30_000 };
    try {
      const isUnderWay = () => left().some(({ command }) => command.includes("--unshare-net"));
      await expect.poll(isUnderWay, patient).toBe(true);
      looking.kill("SIGKILL");
      await expect.poll(left, patient).toEqual([]);
    } finally {
      looking.kill("SIGKILL");
      for (const { pid } of left()) process.kill(pid, "SIGKILL");
    }
  });

  test("a socat that is broken: no network, and the command runs fenced or not at all", async () => {
    const rig = await fencedShell({
      programs: () => ({ bwrap: "/usr/bin/bwrap", socat: program("socat", "exit 1") }),
    });
    const result = await rig
      .run(`touch ${join(rig.outside, "ran")}; curl -sS -m 3 https://example.com`)
      .catch((error: Error) => error.message);
    expect(JSON.stringify(result)).toMatch(/fence|socat|bridge|proxy|Couldn't connect/i);
    expect(existsSync(join(rig.outside, "ran"))).toBe(false);
    await rig.close();
  });
});

describe.skipIf(withoutFence)("settings that programs cannot do without", () => {
  test("are read without their passwords, and are not changed by that", async () => {
    const rig = await fencedShell();
    git(rig.folder, "init", "-q");
    git(rig.folder, "config", "remote.origin.url", "https://me:canary-password@git.example/x.git");
    const npmrc = "registry=https://npm.example/\n//npm.example/:_authToken=canary-token\n";
    writeFileSync(join(rig.folder, ".npmrc"), npmrc);
    mkdirSync(join(rig.folder, ".claude"));
    writeFileSync(join(rig.folder, ".claude/.credentials.json"), "canary-credentials");
    const { output } = await rig.run(
      "cat .npmrc .git/config .claude/.credentials.json; npm config get registry; git remote -v; git status --short",
    );
    expect(output).not.toContain("canary");
    expect(output).toContain("registry=https://npm.example/");
    expect(output).toContain("https://npm.example/\n");
    expect(output).toContain("[secret removed]@git.example");
    expect(readFileSync(join(rig.folder, ".npmrc"), "utf8")).toBe(npmrc);
    await rig.close();
  });
});
