import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { namedToolChains } from "../../../electron/fence/view/readable.ts";
import { isSecretPath } from "../../../shared/safety/secret-files.ts";
import { whyNoFence } from "../../fixtures/fence-there.ts";
import { type FencedShell, fencedShell } from "../../fixtures/fenced.ts";

const withoutFence = (await whyNoFence()) !== null;

let rig: FencedShell;
let env: Record<string, string | undefined>;
/** The user's, beside the working folder. */
let home: string;
beforeEach(async () => {
  env = { PATH: process.env.PATH };
  rig = await fencedShell({ place: { env } });
  home = join(rig.outside, "home");
  mkdirSync(home);
});
afterEach(() => rig.close());

describe.skipIf(withoutFence)("the user's own npm settings", () => {
  test("are known to npm in the fence, without what is secret and without their proxies", async () => {
    const lines = [
      "registry=https://npm.example/",
      "@acme:registry = https://acme.example/npm/",
      "@bad:registry=https://me:canary-password@bad.example/",
      "//acme.example/npm/:_authToken=canary-token",
      "_auth=canary-auth",
      "https-proxy=http://me:canary-proxy@proxy.example:8080",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: npm's own, for a variable
      "@var:registry=https://${CANARY}.example/",
      "script-shell=/canary-shell",
      "save-exact=true",
    ];
    env.NPM_CONFIG_USERCONFIG = join(home, "settings");
    writeFileSync(env.NPM_CONFIG_USERCONFIG, lines.join("\n"));
    const { output } = await rig.run(
      `cat "$npm_config_userconfig"; cat ${env.NPM_CONFIG_USERCONFIG}; npm config get registry; npm config get @acme:registry; npm config get save-exact; npm config list -l`,
    );
    expect(output).toContain("\nhttps://npm.example/\nhttps://acme.example/npm/\ntrue\n");
    expect(output).not.toMatch(/canary-|bad\.example|proxy\.example|CANARY/);
  });

  test("need not be there", async () => {
    env.NPM_CONFIG_USERCONFIG = join(home, "none");
    const { output } = await rig.run("npm config get registry");
    expect(output).toBe("https://registry.npmjs.org/\n");
  });
});

describe.skipIf(withoutFence)("settings in the working folder", () => {
  // Bug: commands read tokens in settings of git and Yarn: those in an address, and those a line below their name.
  test("are read without tokens, wherever these stand", async () => {
    const put = (path: string, lines: readonly string[]) => {
      mkdirSync(dirname(join(rig.folder, path)), { recursive: true });
      writeFileSync(join(rig.folder, path), lines.join("\n"));
    };
    put(".git/HEAD", ["ref: refs/heads/main"]);
    put(".git/config", [
      '[remote "a"]',
      "url = https://canary-azure-0123456789@dev.azure.com/a",
      "fetch = +a:b",
    ]);
    put(".npmrc", ["registry=https://canary-fury:@npm.fury.io/me/", "_auth=canary-auth", "save-exact=true"]);
    put("old/.yarnrc", ['"//npm.example/:_authToken" "canary-old"', 'registry "https://npm.example/"']);
    put(".yarnrc.yml", [
      "nodeLinker: node-modules",
      "npmScopes:",
      "  acme:",
      "    npmAuthToken: >-",
      "      canary-folded",
      "",
      "      canary-more",
      "    npmRegistryServer: https://npm.example/",
      "npmRegistries:",
      "  'https://a.example': { npmAuthIdent:",
      '  "canary-flow" }',
      "npmAuthToken:",
      "enableGlobalCache: false",
    ]);
    const { output } = await rig.run("cat .git/config .npmrc old/.yarnrc .yarnrc.yml");
    expect(output).not.toContain("canary");
    const kept = [
      "@dev.azure.com/a\nfetch = +a:b",
      "save-exact=true",
      'registry "https://npm.example/"',
      "    npmRegistryServer: https://npm.example/",
      "enableGlobalCache: false",
    ];
    for (const line of ["nodeLinker: node-modules\n", ...kept]) expect(output).toContain(line);
  });
});

describe("tool chains that variables name", () => {
  test.skipIf(withoutFence)("can be read in the fence, but for their keys", async () => {
    const chain = join(home, "tools/cargo");
    mkdirSync(chain, { recursive: true });
    writeFileSync(join(chain, "release"), "version-7\n");
    writeFileSync(join(chain, "credentials.toml"), "canary-token\n");
    writeFileSync(join(home, "notes"), "canary-notes\n");
    const command = `cat ${chain}/release ${chain}/credentials.toml ${home}/notes; touch ${chain}/made && echo wrote`;
    expect((await rig.run(command)).output).not.toContain("version-7");
    env.CARGO_HOME = chain;
    const { output } = await rig.run(command);
    expect(output).toContain("version-7");
    expect(output).not.toMatch(/canary|wrote/);
  });

  test("not where that is the home folder, keys, Parley's own, or around these, nor by a link", () => {
    const own = join(rig.outside, "parley/data");
    for (const path of [own, join(home, ".ssh"), join(home, ".config/x"), join(home, "jdk/bin")]) {
      mkdirSync(path, { recursive: true });
    }
    writeFileSync(join(home, "file"), "");
    symlinkSync(home, join(rig.outside, "home-link"));
    symlinkSync("jdk", join(home, "current"));
    const chains = (path: string) =>
      namedToolChains({
        env: { JAVA_HOME: path },
        home,
        own: [own],
        temporaryFolder: "/tmp",
        isSecret: isSecretPath,
      });
    const refused = [home, rig.outside, dirname(own), own, join(own, "x"), join(home, ".ssh"), "/", "/tmp"];
    const others = [".config", ".config/x", "missing", "file", "../home-link", "jdk/..", "."];
    for (const path of [...refused, ...others.map((name) => `${home}/${name}`), "relative", ""]) {
      expect(chains(path), path).toEqual([]);
    }
    expect(chains(join(home, "jdk"))).toEqual([join(home, "jdk")]);
    expect(chains(join(home, "current"))).toEqual([join(home, "current"), join(home, "jdk")]);
  });
});
