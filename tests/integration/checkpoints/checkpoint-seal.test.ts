import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { packIndex } from "../../../electron/store/checkpoints/contents/manifest.ts";
import { keyBytes, Seal } from "../../../electron/store/checkpoints/seal/seal.ts";
import { type KeyPlace, sealKeys } from "../../../electron/store/checkpoints/seal/seal-keys.ts";
import {
  finishSealing,
  hasOldContents,
  sealOldContents,
} from "../../../electron/store/checkpoints/seal/seal-old.ts";
import { openDatabase } from "../../../electron/store/database/open-database.ts";
import { migrations } from "../../../electron/store/migrations/migrations.ts";
import { CheckpointRig } from "./checkpoint-rig.ts";

let rig: CheckpointRig;
beforeEach(async () => {
  rig = await CheckpointRig.open();
});
afterEach(() => rig.close());

const canary = "canary-7f3a91d2c4";
const newest = () => rig.list()[0]?.id ?? "";
const sha256 = (content: string) => createHash("sha256").update(content).digest("hex");

/** Files beside the database that have any of these texts in them: log, large files, back-ups and all. */
function filesWith(...texts: string[]): string[] {
  const found: string[] = [];
  const look = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (path === rig.folder) continue;
      if (entry.isDirectory()) look(path);
      else if (texts.some((text) => readFileSync(path).includes(text))) found.push(entry.name);
    }
  };
  look(rig.base);
  return found;
}

describe("what is kept of secrets", () => {
  test.each([
    [".env", `PASSWORD=${canary}\n`],
    [".ssh/id_rsa", `${canary} a key\n`],
    ["notes.txt", `${canary} ghp_${"a1B2".repeat(9)}\n`],
  ])(
    "%s is sealed, its name does not give it away, and a rewind restores it to the byte",
    async (path, content) => {
      mkdirSync(rig.at(".ssh"));
      rig.put(path, content);
      rig.put("plain.txt", "nothing to hide here");
      await rig.shell("m1", `rm ${path}; echo 1 > plain.txt`);
      expect(filesWith("nothing to hide here")).not.toEqual([]);
      expect(filesWith(canary, sha256(content))).toEqual([]);
      await rig.rewind(newest(), false);
      expect(rig.text(path)).toBe(content);
      // And what a rewind overwrites, for its redo.
      rig.put(path, `${content}${canary} again`);
      await rig.rewind(newest(), true);
      expect(filesWith(canary)).toEqual([]);
    },
  );

  test("of a large one neither", async () => {
    rig.limits = { ...rig.limits, maxFileBytes: 1000 };
    const content = `${canary}${"x".repeat(3_000_000)}`;
    rig.put("vault.kdbx", content);
    await rig.shell("m1", "rm vault.kdbx");
    expect(filesWith(canary, sha256(content))).toEqual([]);
    expect(readdirSync(`${rig.file}.files`)).toHaveLength(1);
    await rig.rewind(newest(), false);
    expect(rig.text("vault.kdbx") === content).toBe(true);
  });

  test("of a call that was cut off neither", async () => {
    rig.put(".env", `PASSWORD=${canary}`);
    await rig.crashDuring("m1", "rm .env");
    expect(filesWith(canary, sha256(`PASSWORD=${canary}`))).toEqual([]);
    await rig.rewind(newest(), false);
    expect(rig.text(".env")).toBe(`PASSWORD=${canary}`);
  });

  test("cannot be restored without the key: that is said, and the rest is restored", async () => {
    rig.limits = { ...rig.limits, maxFileBytes: 1000 };
    rig.put(".env", canary);
    rig.put("large.pem", "x".repeat(2000));
    rig.put("other", "plain");
    await rig.shell("m1", "rm .env large.pem other");
    rmSync(`${rig.file}.key`);
    rig.reopen();
    const preview = await rig.engine.preview("c", newest(), "files", rig.limits);
    const why = "it is sealed, and the key that opens it is gone";
    expect(preview.notRestorable).toEqual([
      { path: ".env", why },
      { path: "large.pem", why },
    ]);
    const { files } = await rig.rewind(newest(), false);
    expect(files.map(({ path, result }) => `${path} ${result}`)).toEqual([
      ".env skipped",
      "large.pem skipped",
      "other restored",
    ]);
    rig.put(".env", "new");
    await rig.shell("m2", "rm .env");
    await rig.rewind(newest(), false);
    expect(rig.text(".env")).toBe("new");
  });
});

describe("the key", () => {
  const place = (text: string | undefined, takes: boolean) => {
    const kept = { text };
    const system: KeyPlace = {
      read: () => kept.text,
      write: (next) => {
        if (takes) kept.text = next;
        return takes;
      },
    };
    return { kept, system };
  };

  test("is in the system's key store where there is one, and in no file", () => {
    const { kept, system } = place(undefined, true);
    const [made] = sealKeys(join(rig.base, "a.db"), system);
    expect(made).toHaveLength(keyBytes);
    expect(kept.text).toBe(Buffer.from(made ?? []).toString("base64"));
    expect(sealKeys(join(rig.base, "a.db"), system)).toEqual([made]);
    expect(readdirSync(rig.base)).not.toContain("a.db.key");
  });

  test("is else in a file for its owner alone, which opens what it sealed also when there is a key store later", () => {
    const [made] = sealKeys(join(rig.base, "a.db"), place(undefined, false).system);
    expect(statSync(join(rig.base, "a.db.key")).mode & 0o777).toBe(0o600);
    expect(sealKeys(join(rig.base, "a.db"), place(undefined, true).system)).toEqual([made]);
    const own = randomBytes(keyBytes);
    const both = sealKeys(join(rig.base, "a.db"), place(own.toString("base64"), true).system);
    expect(both).toEqual([new Uint8Array(own), made]);
  });

  test("does not open what was changed, or was sealed under another name", () => {
    const seal = new Seal([randomBytes(keyBytes)]);
    const [one, other] = [seal.nameOf(sha256("1")), seal.nameOf(sha256("2"))];
    const bytes = seal.close(one, Buffer.from("content"));
    expect(seal.open(one, bytes)?.toString()).toBe("content");
    expect(() => seal.open(other, bytes)).toThrow();
    bytes.writeUInt8(bytes.readUInt8(30) ^ 1, 30);
    expect(() => seal.open(one, bytes)).toThrow();
  });
});

describe("what an earlier Parley kept in plain", () => {
  const contents = {
    ".env": `PASSWORD=${canary}\n`,
    "notes.txt": `${canary} ghp_${"a1B2".repeat(9)}\n`,
    "plain.txt": "nothing to hide here\n",
    unheld: `${canary} of a file that never changed\n`,
    "deep/.env": `${canary} pending\n`,
  };
  const old = sha256(contents[".env"]);

  /** A file of the version before, with checkpoints as it kept them. */
  function makeOld(): void {
    rig.database.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(rig.file + suffix, { force: true });
    const database = openDatabase(rig.file, migrations.slice(0, 5));
    const folder = rig.folder;
    database.exec(`INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at) VALUES ('c', '', 'm', '/', 1, 1);
      INSERT INTO checkpoints (id, session_id, message_id, kind, part, label, working_folder, created_at)
        VALUES ('old', 'c', 'm1', 'turn', 'files', 'L', '${folder}', 1),
          ('cut', 'c', 'm2', 'turn', 'files', 'L', '${folder}', 2)`);
    for (const [path, content] of Object.entries(contents)) {
      const bytes = path === "plain.txt" ? deflateRawSync(content) : Buffer.from(content);
      const codec = path === "plain.txt" ? "deflate" : "raw";
      database
        .prepare("INSERT INTO file_blobs VALUES (?, ?, ?, ?, ?)")
        .run([sha256(content), content.length, codec, 1, bytes]);
      if (path === "unheld" || path.startsWith("deep/")) continue;
      database
        .prepare(
          `INSERT INTO checkpoint_files (checkpoint_seq, folder, path, existed_before, kind_before, mode_before, size_before,
            hash_before, kind_after) VALUES (1, ?, ?, 1, 'file', 420, ?, ?, 'absent')`,
        )
        .run([folder, path, content.length, sha256(content)]);
    }
    const pending = contents["deep/.env"];
    const state = { kind: "file" as const, mode: 0o644, size: pending.length, hash: sha256(pending) };
    const seen = new Map([["deep/.env", { state, stat: "", why: null }]]);
    const index = { folder, limits: rig.limits, checkedAt: 1, seen, unseen: new Map() };
    database
      .prepare("INSERT INTO checkpoint_manifests (checkpoint_seq, bytes) VALUES (2, ?)")
      .run([packIndex(index)]);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    rig.database = openDatabase(rig.file);
  }

  async function expectRestored(): Promise<void> {
    rig.reopen();
    const { files } = await rig.rewind("old", false);
    expect(files.filter(({ result }) => result !== "restored")).toEqual([]);
    for (const path of [".env", "notes.txt", "plain.txt", "deep/.env"] as const) {
      expect(rig.text(path)).toBe(contents[path]);
    }
  }

  test("is sealed at the next start, back-ups and log included, and a rewind restores it", async () => {
    makeOld();
    expect(filesWith(canary).sort()).toEqual(
      expect.arrayContaining(["parley.db", `parley.db.before-v${migrations.length}`]),
    );
    rig.reopen();
    await rig.engine.sealOld();
    expect(filesWith(canary, old)).toEqual([]);
    expect(filesWith("nothing to hide")).toEqual([]);
    finishSealing(rig.database);
    expect(hasOldContents(rig.database)).toBe(false);
    expect(filesWith(canary, old)).toEqual([]);
    await expectRestored();
  });

  test("is sealed to the end by the next start where one was cut off", async () => {
    makeOld();
    const seal = new Seal(sealKeys(rig.file, null));
    let left = 3;
    const cut = Object.assign(Object.create(seal), {
      isSecret: (path: string, bytes: Uint8Array) => {
        if (left-- === 0) throw new Error("cut off");
        return seal.isSecret(path, bytes);
      },
      nameOf: (hash: string) => seal.nameOf(hash),
      close: (name: string, bytes: Uint8Array) => seal.close(name, bytes),
    });
    await expect(sealOldContents(rig.database, cut, Date.now)).rejects.toThrow("cut off");
    expect(hasOldContents(rig.database)).toBe(true);
    rig.reopen();
    await rig.engine.sealOld();
    expect(filesWith(canary, old)).toEqual([]);
    await expectRestored();
  });

  test("a new database has none", () => {
    expect(hasOldContents(rig.database)).toBe(false);
  });
});
