import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withoutPasswords } from "../../../electron/fence/view/without-passwords.ts";
import { KnownFiles } from "../../../electron/fence/watch/known-files.ts";
import { putAside } from "../../../electron/fence/watch/put-aside.ts";
import { findSteeringFiles } from "../../../electron/fence/watch/steering-files.ts";
import { takeAway } from "../../../electron/fence/watch/take-away.ts";
import { decidesWhatRuns } from "../../../shared/safety/protected-files.ts";
import { isSecretPath } from "../../../shared/safety/secret-files.ts";
import { canary, SwapRig } from "./swap-rig.ts";

let rig: SwapRig;
let aside: string;
/** The real `d`, wherever it is at the moment. */
let d: string;

beforeEach(() => {
  rig = new SwapRig();
  aside = realpathSync(mkdtempSync(join(tmpdir(), "parley-aside-")));
  rig.file("d/note.txt", "one\n");
  d = rig.hold("d");
});
afterEach(() => {
  rig.close();
  rmSync(aside, { recursive: true });
});

const looking = { isProtected: decidesWhatRuns, isHidden: isSecretPath, remade: [] };
const find = () => findSteeringFiles(rig.work, looking);
const nothing: ReadonlySet<string> = new Set();
/** Nobody saves anything meanwhile. */
const held = { isHeld: () => () => true, settings: new Map<string, string>() };
const take = () => {
  const known = new KnownFiles(rig.work, find).begin(
    Promise.resolve({ protected: [], runs: [], hidden: [], sockets: [], unseen: [], isUnsteady: false }),
  );
  return takeAway({ folder: rig.work, asideFolder: aside, known, held, find });
};

/** In each, `d` is exchanged with a link to a folder outside, which holds files of the same names. */
describe.runIf(process.platform === "linux")(
  "while a folder is exchanged with a link, nothing outside",
  () => {
    beforeEach(() => {
      for (const name of [".vscode", ".git"]) mkdirSync(join(rig.outside, "d", name));
      writeFileSync(join(rig.outside, "d/.vscode/tasks.json"), canary);
      writeFileSync(join(rig.outside, "d/.git/config"), `[core]\n\tfsmonitor = ${canary}\n`);
      writeFileSync(join(rig.outside, "d/.npmrc"), `registry=https://${canary}.example/\n`);
      writeFileSync(join(rig.outside, "d", `${canary}.pem`), canary);
    });

    test("is looked for", async () => {
      const found = await rig.during(["d"], async () => [await find()]);
      expect(found).toBeGreaterThan(0);
    });

    test("keeps what is to be hidden from being found: or it is known that it may be missing", async () => {
      writeFileSync(join(d, ".env"), "KEY=1");
      await rig.during(["d"], async () => {
        const { hidden, isUnsteady } = await find();
        return isUnsteady || hidden.some((path) => path.endsWith("/.env")) ? "" : canary;
      });
    });

    test("is put aside, shown, or written over by what comes back", async () => {
      let paths: string[] = [];
      const taken = await rig.during(
        ["d"],
        async (count) => {
          mkdirSync(join(d, ".vscode"), { recursive: true });
          writeFileSync(join(d, ".vscode/tasks.json"), "made");
          writeFileSync(join(d, ".envrc"), "made");
          const { putAside: put, notes } = await take();
          paths = [...paths, ...(put?.paths ?? [])];
          if (count % 2) await put?.putBack().catch((error: Error) => error.message);
          return [put?.detail, notes];
        },
        150,
      );
      expect(taken).toBeGreaterThan(0);
      expect(new Set(paths.map((path) => path.replace("d.swap", "d")))).toEqual(
        new Set(["d/.vscode", "d/.envrc"]),
      );
      // Nobody swaps any more: nothing is left.
      await take();
      expect(readdirSync(d).filter(decidesWhatRuns)).toEqual([]);
      const copies = readdirSync(aside).map((name) =>
        readdirSync(join(aside, name), { recursive: true }).join(),
      );
      expect(copies.join()).not.toContain(canary);
    });

    test("counts as a repository's own settings", async () => {
      rmSync(join(rig.outside, "d/.git/config"));
      writeFileSync(join(rig.outside, "d/.git/config"), "[core]\n\tbare = false\n");
      mkdirSync(join(d, ".git"));
      const after = ["d/.git/config"];
      await rig.during(["d"], async () => {
        writeFileSync(join(d, ".git/config"), "[core]\n\tfsmonitor = touch ran\n");
        const {
          putAside: put,
          isUnsteady,
          renamed,
        } = await putAside(rig.work, { before: nothing, after, settings: held.settings }, join(aside, "x"));
        rmSync(join(aside, "x"), { recursive: true, force: true });
        // Neither taken nor to be looked at again: it was taken for harmless.
        return put || isUnsteady || renamed.length > 0 ? "" : canary;
      });
    });

    test("is read without its passwords", async () => {
      writeFileSync(join(d, ".npmrc"), "registry=https://mine.example/\n//mine.example/:_authToken=x\n");
      const read = await rig.during(["d"], async () => {
        const copies = await withoutPasswords(rig.work, ["d/.npmrc", "d/.git/config"], aside);
        return copies.map(({ by }) => {
          const text = readFileSync(by, "utf8");
          rmSync(by);
          return text;
        });
      });
      expect(read).toBeGreaterThan(0);
    });
  },
);

describe("what is put aside", () => {
  test("is a copy: whoever has the first open changes nothing that the card shows", async () => {
    writeFileSync(join(rig.work, ".envrc"), "shown");
    const held = rig.hold(".");
    const { putAside: put } = await take();
    expect(put?.detail).toBe(".envrc\nshown");
    expect(existsSync(join(held, ".envrc"))).toBe(false);
    await put?.putBack();
    expect(readFileSync(join(rig.work, ".envrc"), "utf8")).toBe("shown");
  });

  test("is what a command left in a folder that it closed", async () => {
    mkdirSync(join(rig.work, "shut/.vscode"), { recursive: true });
    writeFileSync(join(rig.work, "shut/.vscode/tasks.json"), "{}", { mode: 0o000 });
    const { putAside: put } = await take();
    expect(put?.paths).toEqual(["shut/.vscode"]);
  });

  test("and too large to be copied stays, under a name that means nothing", async () => {
    mkdirSync(join(rig.work, ".vscode"));
    for (let at = 0; at < 5100; at++) writeFileSync(join(rig.work, `.vscode/${at}`), "");
    const { putAside: put, notes } = await take();
    expect(put).toBeNull();
    expect(notes.join()).toContain(".vscode decides what runs elsewhere");
    expect(existsSync(join(rig.work, ".vscode"))).toBe(false);
  });

  test("never by a link, and comes back by none", async () => {
    mkdirSync(join(rig.work, "own"));
    writeFileSync(join(rig.work, "own/.envrc"), "the user's");
    mkdirSync(join(rig.work, "new"));
    writeFileSync(join(rig.work, "new/.envrc"), "made");
    const { putAside: put } = await putAside(
      rig.work,
      { before: new Set(["own/.envrc"]), after: ["new/.envrc"], settings: held.settings },
      join(aside, "x"),
    );
    renameSync(join(rig.work, "own"), join(rig.work, "moved"));
    rmSync(join(rig.work, "new"), { recursive: true });
    symlinkSync("moved", join(rig.work, "new"));
    await expect(put?.putBack()).rejects.toThrow();
    expect(readFileSync(join(rig.work, "moved/.envrc"), "utf8")).toBe("the user's");
  });

  // Bug: a second command that ran meanwhile took what the first had left for the user's own.
  test("is also what another command left that still ran when this one began", async () => {
    const known = new KnownFiles(rig.work, find);
    const first = known.begin(null);
    await first.paths(() => true);
    writeFileSync(join(rig.work, ".envrc"), "made");
    const second = known.begin(null);
    first.end();
    const third = known.begin(null);
    second.end();
    const { putAside: put } = await takeAway({
      folder: rig.work,
      asideFolder: aside,
      known: third,
      held,
      find,
    });
    expect(put?.paths).toEqual([".envrc"]);
    third.end();
    writeFileSync(join(rig.work, ".mcp.json"), "the user's");
    const later = known.begin(null);
    expect(
      (await takeAway({ folder: rig.work, asideFolder: aside, known: later, held, find })).putAside,
    ).toBeNull();
  });
});

// Bug: a link by the name of such a file led to a copy of what it leads to, with all but the passwords that are known.
test("a link is not read in place of settings", async () => {
  writeFileSync(join(rig.work, ".env"), "CANARY_KEY=value\n");
  symlinkSync(".env", join(rig.work, ".npmrc"));
  expect(await withoutPasswords(rig.work, [".npmrc"], aside)).toEqual([]);
});
