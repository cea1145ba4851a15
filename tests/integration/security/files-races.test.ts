import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readProject } from "../../../electron/agent/context/project-documents.ts";
import { FileAttachments } from "../../../electron/desktop/ipc/file-attachments.ts";
import { readProjectRules } from "../../../electron/permissions/project-rules.ts";
import type { Keeper } from "../../../electron/store/checkpoints/contents/read-state.ts";
import { changesSince } from "../../../electron/store/checkpoints/folder-changes.ts";
import { indexFolder } from "../../../electron/store/checkpoints/folder-index.ts";
import { limitsOf } from "../../../electron/store/checkpoints/limits.ts";
import { applySteps, type Step } from "../../../electron/store/checkpoints/rewind/apply-steps.ts";
import { openLocalEnvironment } from "../../../electron/tools/environment/local-environment.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { noAttachedFiles } from "../../fixtures/attached-files.ts";
import { type ContextChanges, createToolRig, type ToolRig } from "../../unit/tools/tool-rig.ts";
import { createMcpRig } from "../mcp/mcp-rig.ts";
import { canary, SwapRig } from "./swap-rig.ts";

const never = new AbortController().signal;
const bytes = (text: string) => Buffer.from(text);
const hashOf = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

/** @returns a keeper, and the texts that it got since they were taken */
function collecting(): { keeper: Keeper; taken(): string[] } {
  const kept: string[] = [];
  const take = (content: Uint8Array) => {
    kept.push(Buffer.from(content).toString());
    return hashOf(content);
  };
  const large: Keeper["large"] = (_, { size }, opened) => {
    try {
      return { hash: take(opened((fd) => readFileSync(fd))), size: Number(size) };
    } catch (error) {
      return String(error);
    }
  };
  return { keeper: { bytes: take, large }, taken: () => kept.splice(0) };
}

/** All files that are read whole, or those that have more than six bytes by pieces, in turns. */
const limitsAt = (count: number) => {
  const limits = limitsOf(defaultSettings);
  return count % 2 ? { ...limits, maxFileBytes: 6 } : limits;
};

let rig: SwapRig;
let tools: ToolRig;
/** The real `d`, wherever it is at the moment. */
let d: string;

const call = async (name: string, input: object) => {
  const environment = await openLocalEnvironment(rig.work, { home: rig.base });
  const changes: ContextChanges = { environment };
  const { text, isError } = await tools.call(name, input, changes);
  if (isError) throw new Error(text);
  return text;
};

beforeEach(async () => {
  rig = new SwapRig();
  tools = await createToolRig();
  rig.file("d/note.txt", "one\ntwo\n");
  rig.file("d/deep/down.txt", "deep\n");
  rig.file("plain.txt", "plain\n");
  writeFileSync(join(rig.outside, "d", `${canary}.txt`), canary);
  writeFileSync(join(rig.outside, "d", "new.txt"), canary);
  d = rig.hold("d");
});
afterEach(async () => {
  await tools.close();
  rig.close();
});

/** In each, `d` is exchanged with a link to a folder outside, or a file with a link to a file there. */
describe.runIf(process.platform === "linux")(
  "while folders are exchanged with links, nothing outside",
  () => {
    const open = () => openLocalEnvironment(rig.work, { home: rig.base });

    test("is read", async () => {
      const environment = await open();
      const read = await rig.during(["d", "plain.txt"], async (count) => {
        const path = ["d/note.txt", "d/deep/down.txt", "plain.txt"][count % 3] ?? "";
        return Buffer.from((await environment.readFile(path, { maxBytes: 1000 })).bytes).toString();
      });
      expect(read).toBeGreaterThan(0);
      await rig.during(["d", "plain.txt"], () =>
        call("read_many_files", { paths: ["d/*.txt", "plain.txt"] }),
      );
    });

    test("is listed, looked at or found", async () => {
      const environment = await open();
      const looked = await rig.during(["d", "plain.txt"], async (count) => {
        if (count % 4 === 0) return await environment.listDirectory("d");
        if (count % 4 === 1) {
          // The one outside is larger.
          const { size } = await environment.stat("d/note.txt");
          return size === 8 ? "" : canary;
        }
        const pattern = count % 4 === 2 ? "**/*" : "d/*";
        return await environment.glob({ pattern, limit: 100, signal: never });
      });
      expect(looked).toBeGreaterThan(0);
      // What is only there outside is not there.
      await rig.during(["d"], async () => ((await environment.fileExists("d/new.txt")) ? canary : ""));
    });

    test("is written or made", async () => {
      const environment = await open();
      const written = await rig.during(["d", "plain.txt"], async (count) => {
        const path = ["d/note.txt", `d/new-${count}`, `d/made-${count}/x`, "plain.txt", "d/deep/down.txt"][
          count % 5
        ];
        await environment.writeFile(path ?? "", bytes(`written ${count}`));
      });
      expect(written).toBeGreaterThan(0);
      await rig.during(["d"], (count) => call("write_file", { path: `d/tool-${count}`, content: "x" }));
    });

    test("is edited", async () => {
      const edited = await rig.during(["d", "plain.txt"], async (count) => {
        writeFileSync(join(d, "note.txt"), "one\ntwo\n");
        const edit = { old_string: count % 2 ? "one" : "no such words", new_string: "1" };
        return await call("edit_file", { path: count % 3 ? "d/note.txt" : "plain.txt", ...edit });
      });
      expect(edited).toBeGreaterThan(0);
    });

    test("is patched: added, updated, deleted, moved", async () => {
      const patches = (count: number) => [
        `*** Add File: d/added-${count}.txt\n+new`,
        "*** Update File: d/note.txt\n@@\n-one\n+1",
        "*** Delete File: d/new.txt",
        `*** Update File: d/note.txt\n*** Move to: d/moved-${count}.txt\n@@\n-one\n+1`,
        `*** Update File: plain.txt\n*** Move to: d/plain-${count}.txt\n@@\n-plain\n+1`,
      ];
      const patched = await rig.during(
        ["d"],
        async (count) => {
          writeFileSync(join(d, "note.txt"), "one\ntwo\n");
          writeFileSync(join(d, "new.txt"), "new\n");
          writeFileSync(join(rig.work, "plain.txt"), "plain\n");
          const patch = patches(count)[count % 5];
          return await call("apply_patch", { patch: `*** Begin Patch\n${patch}\n*** End Patch` });
        },
        150,
      );
      expect(patched).toBeGreaterThan(0);
    });

    test("is deleted or moved", async () => {
      const environment = await open();
      const done = await rig.during(["d"], async (count) => {
        writeFileSync(join(d, "note.txt"), "one\n");
        if (count % 3 === 0) await environment.deleteFile("d/note.txt");
        else if (count % 3 === 1) await environment.moveFile("d/note.txt", `taken-${count}`);
        else {
          writeFileSync(join(rig.work, `mine-${count}`), "mine");
          await environment.moveFile(`mine-${count}`, `d/given-${count}`);
        }
      });
      expect(done).toBeGreaterThan(0);
      const texts = readdirSync(rig.work).filter((name) => name.startsWith("taken"));
      for (const name of texts) expect(await call("read_file", { path: name })).not.toContain(canary);
    });

    test("gets into a checkpoint", async () => {
      const { keeper, taken } = collecting();
      const theirs = ["d/note.txt", "d/deep/down.txt", "plain.txt"].map((path) =>
        hashOf(readFileSync(join(rig.outside, path))),
      );
      await rig.during(["d", "plain.txt"], async (count) => {
        const how = { known: null, now: Date.now(), keeper };
        const index = await indexFolder(rig.work, limitsAt(count), how);
        const kept = taken();
        const changes = JSON.stringify(await changesSince(index, keeper));
        if (theirs.some((hash) => changes.includes(hash))) return canary;
        return { seen: [...index.seen.keys()], kept, looked: taken() };
      });
    });

    test("is changed or removed by a rewind, nor shown before it", async () => {
      const file = (hash: string) => ({ kind: "file" as const, mode: 0o600, size: 3, hash });
      const nothing = { kind: "absent" as const };
      const folder = { kind: "directory" as const, mode: 0o711 };
      const results: string[] = [];
      await rig.during(
        ["d"],
        async (count) => {
          writeFileSync(join(d, "new.txt"), "new");
          mkdirSync(join(d, "empty"), { recursive: true });
          rmSync(join(d, "gone"), { recursive: true, force: true });
          const steps: Step[] = [
            { path: "d/new.txt", now: file("now"), goal: nothing },
            { path: "d/note.txt", now: file("now"), goal: file("kept") },
            { path: `d/back-${count}.txt`, now: nothing, goal: file("kept") },
            { path: `d/large-${count}.txt`, now: nothing, goal: file("large") },
            { path: "d/link", now: nothing, goal: { kind: "symlink", target: "note.txt" } },
            { path: "d/gone", now: nothing, goal: folder },
            { path: "d/gone/x", now: nothing, goal: file("kept") },
            { path: "d/deep", now: folder, goal: folder },
            { path: "d/empty", now: folder, goal: nothing },
            { path: "d", now: folder, goal: { ...folder, mode: 0o750 } },
          ];
          const applied = await applySteps(rig.work, steps, {
            read: (hash) => (hash === "large" ? undefined : bytes("old")),
            copyTo: (_, fd) => writeSync(fd, "old") === 3,
          });
          results.push(...[...applied.values()].map(({ result }) => result));
        },
        150,
      );
      expect(new Set(results)).toContain("restored");
      expect(new Set(results)).toContain("removed");
    });

    test("counts as the project's document, branch or rule", async () => {
      const rules = (tool: string) => JSON.stringify({ rules: [{ effect: "deny", tool }] });
      rig.file("AGENTS.md", "top\n");
      rig.file("d/AGENTS.md", "below\n");
      rig.file(".git/HEAD", "ref: refs/heads/main\n", `ref: refs/heads/${canary}\n`);
      rig.file(".parley/permissions.json", rules("shell"), rules(canary));
      const swapped = ["d", "AGENTS.md", ".git", ".parley"];
      await rig.during(swapped, async () => [
        await readProject(join(rig.work, "d"), ["CLAUDE.md"], () => true),
        readProjectRules(rig.work),
      ]);
    });

    test("is attached to a prompt", async () => {
      const mcp = createMcpRig({ servers: {} });
      const fileAttachments = new FileAttachments({
        attached: noAttachedFiles,
        openFolder: (folder) => openLocalEnvironment(folder),
        servers: mcp.manager,
        settings: () => defaultSettings,
        model: () => ({ modelLabel: "m", takesImages: true }),
      });
      const attached = await rig.during(["d", "plain.txt"], (count) =>
        fileAttachments.read(rig.work, [count % 2 ? "d/note.txt" : "plain.txt"]),
      );
      expect(attached).toBeGreaterThan(0);
      await rig.during(["d"], (count) => fileAttachments.find(rig.work, count % 2 ? "t" : ""));
      await mcp.manager.dispose();
    });

    test("nor what is kept back in the folder is reached by a name that was allowed", async () => {
      const environment = await open();
      mkdirSync(join(rig.work, "kept back"));
      rig.file("other/note.txt", "mine\n");
      rmSync(join(rig.outside, "other"), { recursive: true });
      symlinkSync(join(rig.work, "kept back"), join(rig.outside, "other"));
      writeFileSync(join(rig.work, "kept back/note.txt"), canary);
      const allowed = await rig.during(["other"], async (count) => {
        const path = count % 3 ? "other/note.txt" : `other/new-${count}`;
        const once = await environment.pinned([path]);
        // As a rule would: only what leads to the folder of that name.
        if (!once.leadsTo?.(path)?.startsWith("other/")) throw new Error("not allowed");
        if (count % 3 !== 1) return await once.writeFile(path, bytes("written\n"));
        return Buffer.from((await once.readFile(path, { maxBytes: 100 })).bytes).toString();
      });
      expect(allowed).toBeGreaterThan(0);
      expect(readdirSync(join(rig.work, "kept back"))).toEqual(["note.txt"]);
      expect(readFileSync(join(rig.work, "kept back/note.txt"), "utf8")).toBe(canary);
    });

    test("is a working folder that was swapped itself", async () => {
      const environment = await openLocalEnvironment(join(rig.work, "d"));
      const { keeper, taken } = collecting();
      await rig.during(["d"], async (count) => {
        if (count % 3 === 0)
          return Buffer.from((await environment.readFile("note.txt", { maxBytes: 99 })).bytes).toString();
        if (count % 3 === 1) return await environment.writeFile(`new-${count}`, bytes("x"));
        const how = { known: null, now: Date.now(), keeper };
        await indexFolder(join(rig.work, "d"), limitsAt(count), how);
        return taken();
      });
    });
  },
);

describe("links inside the folder", () => {
  test("lead on, by any way that ends inside", async () => {
    const environment = await openLocalEnvironment(rig.work, { home: rig.base });
    const at = (path: string) => join(rig.work, path);
    symlinkSync("d", at("relative"));
    symlinkSync(join(rig.work, "d"), at("absolute"));
    symlinkSync("relative/deep", at("chain"));
    symlinkSync("../work/d/note.txt", at("around"));
    symlinkSync("d/deep/../note.txt", at("up"));
    symlinkSync("../../plain.txt", join(d, "deep/back"));
    symlinkSync(".", at("self"));
    const read = async (path: string) =>
      Buffer.from((await environment.readFile(path, { maxBytes: 100 })).bytes).toString();
    for (const path of ["relative/note.txt", "absolute/note.txt", "around", "up", "self/self/d/note.txt"]) {
      expect(await read(path), path).toBe("one\ntwo\n");
    }
    expect(await read("chain/down.txt")).toBe("deep\n");
    expect(await read("chain/back")).toBe("plain\n");
    await environment.writeFile("absolute/made/x", bytes("x"));
    expect(existsSync(join(d, "made/x"))).toBe(true);
    const refused = environment.readFile("relative/note.txt", { maxBytes: 100, links: "refuse" });
    await expect(refused).rejects.toThrow("symbolic link");
  });

  test("and whatever fails: no folder stays open", async () => {
    const environment = await openLocalEnvironment(rig.work, { home: rig.base });
    symlinkSync("loop", join(rig.work, "loop"));
    symlinkSync("/etc", join(rig.work, "out"));
    symlinkSync("nowhere", join(rig.work, "dangling"));
    const paths = [
      "d/note.txt",
      "d",
      ".",
      "missing/x",
      "plain.txt/x",
      "loop/x",
      "out/passwd",
      "dangling",
      "../x",
    ];
    for (const path of paths) {
      const attempts = [
        environment.readFile(path, { maxBytes: 10 }),
        environment.stat(path),
        environment.listDirectory(path),
        environment.moveFile(path, "d"),
        environment.deleteFile(path === "d/note.txt" ? "no" : path),
        environment.glob({ pattern: "**/*", path, limit: 5, signal: never }),
        applySteps(rig.work, [{ path, now: { kind: "absent" }, goal: { kind: "symlink", target: "x" } }], {
          read: () => undefined,
          copyTo: () => false,
        }),
      ];
      await Promise.allSettled(attempts);
    }
    const open = readdirSync("/proc/self/fd").filter((fd) => leadsTo(fd)?.startsWith(rig.base));
    expect(open).toHaveLength(1);
  });
});

function leadsTo(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}
