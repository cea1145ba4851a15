import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { whyNoFence } from "../../fixtures/fence-there.ts";
import { type FencedShell, fencedShell } from "../../fixtures/fenced.ts";

const withoutFence = (await whyNoFence()) !== null;

let home: string;
let shell: FencedShell | null;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "home-")));
  shell = null;
});
afterEach(() => shell?.close());

function put(path: string, text = `canary ${path}\n`): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** A shell whose `PATH` begins with these folders of the home folder. */
async function withPath(...folders: string[]): Promise<FencedShell> {
  const path = [...folders.map((name) => join(home, name)), process.env.PATH].join(delimiter);
  shell = await fencedShell({ place: { home, env: { ...process.env, PATH: path } } });
  return shell;
}

async function readIn(rig: FencedShell, paths: readonly string[]): Promise<string[]> {
  const { output } = await rig.run(paths.map((path) => `cat ${join(home, path)}`).join("; "), {
    confinement: "look",
  });
  return output.match(/canary .*/g) ?? [];
}

describe.skipIf(withoutFence)("a folder that the user makes readable", () => {
  // Bug: commands read there what a rule denies with all below it.
  test("shows nothing of what a rule denies in it", async () => {
    for (const path of ["data/private/a.csv", "data/private/deep/b.csv", "data/c.csv"]) put(path);
    shell = await fencedShell({ place: { home }, chosen: { readable: ["~/data"] } });
    const denied = { globs: [join(home, "data/private/**")], fits: () => false };
    for (const confinement of ["look", "change"] as const) {
      const { output } = await shell.run(`grep -rh . ${join(home, "data")}`, { confinement, denied });
      expect(output.match(/canary .*/g)).toEqual(["canary data/c.csv"]);
    }
  });
});

describe.skipIf(withoutFence)("keys beside programs in the home folder", () => {
  // Bug: commands read the user's keys without asking, because `PATH` named a folder beside them.
  test("cannot be read by a command", async () => {
    const keys = [
      ".fly/config.yml",
      ".pulumi/credentials.json",
      "dotfiles/ssh/id_ed25519",
      "dotfiles/.env",
      "dotfiles/share/id_rsa",
      "dotfiles/bin/.env",
    ];
    const programs = [".fly/bin/fly", ".pulumi/bin/pulumi", "dotfiles/bin/hello", "dotfiles/lib/words"];
    for (const path of [...keys, ...programs]) put(path);
    const rig = await withPath(".fly/bin", ".pulumi/bin", "dotfiles/bin");
    expect(await readIn(rig, keys)).toEqual([]);
    expect(await readIn(rig, programs)).toEqual(programs.map((path) => `canary ${path}`));
  });

  // Bug: commands read passwords that package managers keep in their own folders, without asking.
  test("nor in a tool chain, however it is called", async () => {
    const keys = [
      ".rye/credentials",
      ".npm-global/etc/npmrc",
      ".nvm/versions/node/v22/etc/npmrc",
      ".dotnet/corefx/cryptography/x509stores/my/a.pfx",
      ".local/share/uv/credentials/a",
      ".config/yarn/global/.npmrc",
      ".pyenv/versions/3.12/bin/server.key",
    ];
    for (const path of keys) put(path);
    put(".cargo/config.toml", '[registry]\n# canary\ntoken = "canary cargo-0123456789"\n');
    symlinkSync(put(".rbenv/kept"), join(home, ".rbenv/credentials"));
    const rig = await withPath(".nvm/versions/node/v22/bin");
    expect(await readIn(rig, [...keys, ".cargo/config.toml", ".rbenv/credentials"])).toEqual([]);
    // What comes later is found as well.
    put(".rustup/credentials.toml");
    put(".nvm/versions/node/v23/etc/npmrc");
    expect(await readIn(rig, [".rustup/credentials.toml", ".nvm/versions/node/v23/etc/npmrc"])).toEqual([]);
  });

  test("but for those in a folder that the user named", async () => {
    put(".rye/credentials");
    shell = await fencedShell({ place: { home }, chosen: { readable: ["~/.rye"] } });
    expect(await readIn(shell, [".rye/credentials"])).toEqual(["canary .rye/credentials"]);
  });
});

describe.skipIf(withoutFence)("programs in the home folder", () => {
  const program = (path: string, text: string) => chmodSync(put(path, `#!/bin/sh\n${text}`), 0o755);

  test("find what they need, also where it is called as keys are", async () => {
    const needed = [
      ".nvm/versions/node/v22/lib/node_modules/npm/lib/credentials.js",
      ".pyenv/versions/3.12/lib/python3.12/secrets.py",
      ".pyenv/versions/3.12/lib/python3.12/site-packages/certifi/cacert.pem",
      "miniforge3/ssl/cert.pem",
      ".goenv/versions/1.26/src/runtime/secret/secret.go",
      ".rustup/toolchains/stable/lib/rustlib/secret",
      ".volta/tools/image/node/22/bin/node",
      ".cargo/config.toml",
      "python/lib/python3.12/secrets.py",
      "python/pyvenv.cfg",
      "go1.26/pkg/tool/compile",
      "go1.26/src/runtime/secret/secret.go",
      "jdk/conf/security/java.security",
      "jdk/lib/modules",
      ".local/bin/gcloud",
      "google-cloud-sdk/platform/gcloud/run",
    ];
    for (const path of needed) put(path);
    for (const path of ["python/bin", "go1.26/bin", "jdk/bin"]) mkdirSync(join(home, path));
    const rig = await withPath("python/bin", "go1.26/bin", "jdk/bin", ".local/bin");
    expect(await readIn(rig, needed)).toEqual(needed.map((path) => `canary ${path}`));
  });

  test.each([
    [".asdf", ".asdf/shims"],
    [".local/share/mise", ".local/share/mise/shims"],
    [".volta", ".volta/bin"],
  ])("run by the links and the scripts of %s", async (chain, folder) => {
    program(`${chain}/installs/tool/1.0/bin/tool`, `cat ${home}/${chain}/installs/tool/1.0/lib/words`);
    put(`${chain}/installs/tool/1.0/lib/words`, "hello\n");
    program(`${folder}/by-script`, `exec ${home}/${chain}/installs/tool/1.0/bin/tool`);
    symlinkSync(join(home, chain, "installs/tool/1.0/bin/tool"), join(home, folder, "by-link"));
    const rig = await withPath(folder);
    const { output } = await rig.run(`PATH=${join(home, folder)}:$PATH; by-script; by-link`, {
      confinement: "look",
    });
    expect(output).toBe("hello\nhello\n");
  });
});
