import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import Libsql from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeArchive } from "../../../../electron/store/backup/archive.ts";
import type { BackupManifest } from "../../../../electron/store/backup/backup-manifest.ts";
import { copyContents } from "../../../../electron/store/backup/copy-contents.ts";
import {
  backedUpTables,
  checkpointTableNames,
  leftOutTables,
} from "../../../../electron/store/backup/kept-tables.ts";
import { checkBackup, restoreBackup } from "../../../../electron/store/backup/restore.ts";
import { openMemoryDatabase } from "../../../../electron/store/database/open-database.ts";
import { backUpOf, contentsOf, databaseIn, inProfile, prompt, reply } from "./profile.ts";

let folder: string;
let from: string;
let file: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-back-up-"));
  from = join(folder, "from");
  file = join(folder, "Parley.parley-back-up");
  inProfile(from, (store) => {
    store.saveConversation({
      id: "c",
      title: "One",
      workingFolder: "/",
      model: "m",
      createdAt: 1,
      updatedAt: 1,
    });
    store.changeSession("c", { permissionMode: "work" });
    store.appendMessage("c", prompt("m1", "Where is the harbour?", 2));
    store.appendMessage("c", reply("m2", "Behind the hill.", 3));
    store.saveConversation({
      id: "gone",
      title: "Gone",
      workingFolder: "/",
      model: "m",
      createdAt: 1,
      updatedAt: 1,
    });
    store.appendMessage("gone", prompt("m3", "Forget this.", 4));
    store.changeSession("gone", { deletedAt: 5 });
  });
  await backUpOf(from, file);
});
afterEach(() => rmSync(folder, { recursive: true, maxRetries: 3 }));

const into = () => databaseIn(join(folder, "into"));
const messageOf = (work: Promise<unknown>) => work.then(String, (error: Error) => error.message);

test("an empty profile has all that was backed up, but not how much may run, nor what was deleted", async () => {
  const { added, messages, manifest } = await restoreBackup(file, into());
  expect([added, messages, manifest.conversations, manifest.madeBy]).toEqual([1, 2, 1, "1.2.3"]);
  expect(contentsOf(join(folder, "into"))).toEqual(contentsOf(from));
  inProfile(join(folder, "into"), (store) => {
    expect(store.loadSession("c")?.permissionMode ?? null).toBeNull();
    expect(store.loadSession("gone")).toBeUndefined();
  });
  expect(statSync(file).mode & 0o077).toBe(0);
  for (const place of [from, folder, join(folder, "into")]) {
    expect(readdirSync(place).filter((name) => /^(restore|back-up)-|\.part$/.test(name))).toEqual([]);
  }
});

// Bug: a later back-up moved a conversation to another folder, in which it then worked by the level that was chosen for its own.
test("a level goes with the folder that it was chosen for", async () => {
  const here = join(folder, "into");
  await restoreBackup(file, into());
  inProfile(here, (store) => store.changeSession("c", { permissionMode: "work" }));
  const levelHere = () => inProfile(here, (store) => store.loadSession("c")?.permissionMode ?? null);
  await restoreBackup(file, into());
  expect(levelHere()).toBe("work");
  inProfile(from, (store) => store.changeSession("c", { workingFolder: "/elsewhere" }));
  await backUpOf(from, file);
  await restoreBackup(file, into());
  expect(inProfile(here, (store) => store.loadSession("c")?.workingFolder)).toBe("/elsewhere");
  expect(levelHere()).toBeNull();
});

// Bug: the half of a reply hung below what the back-up went on with.
test("a reply that was cut off here stays below what it answers", async () => {
  const here = join(folder, "into");
  await restoreBackup(file, into());
  inProfile(here, (store) => {
    store.appendMessage("c", prompt("p", "And the church?", 6));
    store.savePartial("c", reply("half", "Beside the", 7));
  });
  inProfile(from, (store) => {
    store.appendMessage("c", prompt("later", "And the lighthouse?", 8));
  });
  await backUpOf(from, file);
  await restoreBackup(file, into());
  inProfile(here, (store) => expect(store.loadSession("c")?.headMessageId).toBe("p"));
});

// Bug: a conversation whose last message was gone was empty, and could not be backed up again.
test("a conversation that lost its last message here stands where it does in the back-up", async () => {
  const here = join(folder, "into");
  await restoreBackup(file, into());
  inProfile(here, (store) => {
    store.appendMessage("c", prompt("p", "And the church?", 6));
  });
  const database = new Libsql(into());
  database.exec(
    "PRAGMA foreign_keys = OFF; DELETE FROM blocks WHERE message_id = 'p'; DELETE FROM messages WHERE id = 'p'",
  );
  database.close();
  await restoreBackup(file, into());
  inProfile(here, (store) => expect(store.loadSession("c")?.headMessageId).toBe("m2"));
  await backUpOf(here, join(folder, "again.parley-back-up"));
});

test.each([
  [99, /written by a newer Parley/],
  [1, /an older Parley is using/],
])(
  "tables of version %i, which another Parley works with, are not backed up in part",
  async (version, words) => {
    const database = new Libsql(databaseIn(from));
    database.exec(`UPDATE schema_version SET version = ${version}`);
    database.close();
    const to = join(folder, "other.parley-back-up");
    expect(await messageOf(backUpOf(from, to))).toMatch(words);
    expect(existsSync(to)).toBe(false);
  },
);

test("settings that are too long for any Parley are refused", async () => {
  const settings = { note: "x".repeat(1_000_000) };
  const { backUp } = await import("../../../../electron/store/backup/back-up.ts");
  const options = { database: databaseIn(from), to: file, withCheckpoints: false, madeBy: "1.2.3", now: 9 };
  await backUp({ ...options, settings });
  expect(await messageOf(restoreBackup(file, into()))).toMatch(/its settings are too long/);
});

test("it is made and whole while the profile is in use, also with what was said just now", async () => {
  const during = join(folder, "during.parley-back-up");
  const { openSqliteStore } = await import("../../../../electron/store/sqlite-store.ts");
  const store = openSqliteStore(databaseIn(from), (error) => {
    throw error;
  });
  store.appendMessage("c", prompt("m4", "And the lighthouse?", 6));
  await backUpOf(from, during);
  expect(await messageOf(restoreBackup(file, databaseIn(from)))).toMatch(/Another Parley is using/);
  store.appendMessage("c", prompt("m5", "Later.", 7));
  store.close();
  expect((await restoreBackup(during, into())).messages).toBe(3);
});

test("a back-up that was cut off anywhere, or changed in any byte, is refused or is the same", async () => {
  const whole = readFileSync(file);
  const bad = join(folder, "bad.parley-back-up");
  const before = contentsOf(from);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.boolean(),
      fc.integer({ min: 1, max: 255 }),
      async (at, isCut, bits) => {
        const bytes = Buffer.from(isCut ? whole.subarray(0, at) : whole);
        if (!isCut) bytes[at] = (bytes[at] ?? 0) ^ bits;
        writeFileSync(bad, bytes);
        const profile = mkdtempSync(join(folder, "profile-"));
        const said = await messageOf(restoreBackup(bad, databaseIn(profile)));
        if (said === "[object Object]") {
          expect(isCut).toBe(false);
          expect(contentsOf(profile)).toEqual(before);
        } else {
          expect(said).toMatch(
            /is damaged or was changed|is not a Parley back-up|was made by a newer Parley/,
          );
          expect(existsSync(databaseIn(profile))).toBe(false);
        }
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
});

test("one of a newer Parley, and a file that is something else, are named", async () => {
  const contents = join(folder, "contents.db");
  const facts = await copyContents(databaseIn(from), contents, false, async () => {});
  const { largeFiles, ...head } = facts;
  const common = { format: "parley-back-up" as const, madeAt: 1, madeBy: "9", hasCheckpoints: false };
  const settings = join(folder, "settings.json");
  writeFileSync(settings, "{}");
  const files = [
    { name: "conversations.db", path: contents },
    { name: "settings.json", path: settings },
  ];
  await writeArchive(file, files, { ...common, ...head, version: 1, databaseVersion: 999 });
  expect(await messageOf(checkBackup(file, folder))).toBe(`${file} was made by a newer Parley.`);
  await expect(writeArchive(file, files, { ...common, ...head, version: 2 })).rejects.toThrow("newer Parley");
  writeFileSync(file, "PK but not really");
  expect(await messageOf(checkBackup(file, folder))).toBe(`${file} is not a Parley back-up.`);
});

/** Writes a back-up around a database, whatever is in it. */
async function archiveOf(
  contents: string,
  head: Pick<BackupManifest, "databaseVersion" | "conversations" | "messages">,
  hasCheckpoints: boolean,
): Promise<void> {
  const settings = join(folder, "settings.json");
  writeFileSync(settings, "{}");
  const files = [
    { name: "conversations.db", path: contents },
    { name: "settings.json", path: settings },
  ];
  const common = { format: "parley-back-up", version: 1, madeAt: 1, madeBy: "1" } as const;
  await writeArchive(file, files, { ...common, hasCheckpoints, ...head });
}

test("a database that was made to look like one runs nothing here", async () => {
  const contents = join(folder, "contents.db");
  const { largeFiles, ...head } = await copyContents(databaseIn(from), contents, false, async () => {});
  const hostile = new Libsql(contents);
  hostile.exec("CREATE TRIGGER more AFTER INSERT ON sessions BEGIN DELETE FROM messages; END");
  hostile.close();
  await archiveOf(contents, head, false);
  expect(await messageOf(restoreBackup(file, into()))).toMatch(/its tables are not those of its version/);
});

// Bug: a restored row that Parley cannot read made the whole list of conversations unreadable, or ended Parley at every start.
test.each([
  "UPDATE sessions SET title = CAST(x'41ff42' AS TEXT)",
  "UPDATE sessions SET title = x'4142'",
  "UPDATE sessions SET draft = '5'",
  "UPDATE sessions SET draft_attached = '{}'",
  "UPDATE sessions SET draft_attached = '[5]'",
  "UPDATE sessions SET created_at = 'x'",
  "UPDATE sessions SET updated_at = 9e999",
  "UPDATE sessions SET updated_at = 1e300",
  "UPDATE messages SET origin = 'else'",
  "UPDATE messages SET source = CAST(x'ff' AS TEXT)",
  "UPDATE blocks SET json = 'null'",
  `UPDATE blocks SET json = '{"type":"thinking","thinking":"","signature":""}'`,
  "UPDATE blocks SET json = CAST(x'227b7dff22' AS TEXT)",
  "INSERT INTO inputs (id, session_id, json) VALUES ('i', 'c', '{}')",
  "INSERT INTO tool_calls VALUES ('c', 't', 'm2', 'grep', '{', '', 0, 1, 0, 1, NULL)",
  "INSERT INTO meeting_lines (id, session_id, who, text, started_at, ended_at) VALUES ('l', 'c', 'her', '', 1, 1)",
  "INSERT INTO draft_files VALUES ('f', '{}')",
  `INSERT INTO checkpoints (id, session_id, kind, part, label, working_folder, created_at)
    VALUES ('k', 'c', 'turn', 'files', CAST(x'ff' AS TEXT), '/', 9)`,
])("one that holds what Parley cannot read is refused: %s", async (change) => {
  const contents = join(folder, "contents.db");
  const { largeFiles, ...head } = await copyContents(databaseIn(from), contents, true, async () => {});
  const hostile = new Libsql(contents);
  hostile.exec(change);
  hostile.close();
  await archiveOf(contents, head, true);
  expect(await messageOf(checkBackup(file, folder))).toBe(
    "The back-up cannot be used: what stands in it cannot be read.",
  );
});

// Bug: one call whose input nests very deep made every back-up from then on fail, and none said why.
test("a call that nests very deep is backed up and comes back", async () => {
  let input: unknown = "deep";
  for (let level = 0; level < 1200; level++) input = { in: input };
  inProfile(from, (store) => {
    const message = reply("m4", "I look.", 6, "t");
    const content = message.content.map((block) => (block.type === "tool_use" ? { ...block, input } : block));
    const call = { toolUseId: "t", messageId: "m4", name: "grep", input, output: "", isError: false };
    const calls = [{ ...call, durationMs: 1, wasTruncated: false, originalChars: 0 }];
    store.appendMessage("c", { ...message, content }, { calls });
  });
  await backUpOf(from, file);
  await restoreBackup(file, into());
  expect(inProfile(join(folder, "into"), (store) => store.loadToolCall("c", "t")?.input)).toEqual(input);
});

// Bug: a damaged row made every back-up fail without a word about where it is.
test("a conversation that cannot be read is named, and the back-up before it stays", async () => {
  const before = readFileSync(file);
  const damaged = new Libsql(databaseIn(from));
  damaged.exec("UPDATE blocks SET json = '{' WHERE message_id = 'm2'");
  damaged.close();
  expect(await messageOf(backUpOf(from, file))).toBe(
    "The back-up was not made: the conversation “One” cannot be read.",
  );
  expect(readFileSync(file)).toEqual(before);
});

// Bug: a file anywhere was removed with what nothing holds, and one of the archive written anywhere.
test.each(["../../../.ssh/authorized_keys", "../settings.json", "/etc/passwd", ".", ""])(
  "a large file called %s is refused",
  async (name) => {
    const contents = join(folder, "contents.db");
    const { largeFiles, ...head } = await copyContents(databaseIn(from), contents, true, async () => {});
    const hostile = new Libsql(contents);
    hostile.prepare("INSERT INTO large_files (hash, size, name, kept_at) VALUES ('x', 1, ?, 0)").run([name]);
    hostile.close();
    await archiveOf(contents, head, true);
    expect(await messageOf(restoreBackup(file, into()))).toMatch(/a large file in it is called/);
    expect(existsSync(databaseIn(join(folder, "into")))).toBe(false);
  },
);

// Bug: a rewind in a restored conversation wrote where its back-up said, and the preview did not show where.
test("what a rewind would write elsewhere, or to a file that decides what runs, does not come back", async () => {
  const contents = join(folder, "contents.db");
  const { largeFiles, ...head } = await copyContents(databaseIn(from), contents, true, async () => {});
  const hostile = new Libsql(contents);
  hostile.exec("UPDATE sessions SET working_folder = '/home/me/work' WHERE id = 'c'");
  hostile.exec(`INSERT INTO checkpoints (id, session_id, kind, part, label, working_folder, created_at)
    VALUES ('k', 'c', 'turn', 0, 'x', '/home/me/.config/autostart', 9)`);
  const add =
    hostile.prepare(`INSERT INTO checkpoint_files (checkpoint_seq, folder, path, existed_before, kind_before)
    SELECT seq, ?, ?, 1, 'file' FROM checkpoints WHERE id = 'k'`);
  for (const [where, path] of [
    ["/home/me/work", "notes.txt"],
    ["/home/me/work/sub", "more.txt"],
    ["/home/me/.config/autostart", "notes.desktop"],
    ["/home/me", "bin/ls"],
    ["/home/me/worker", "x"],
    ["/home/me/work", "../.bashrc"],
    ["/home/me/work", "/etc/cron.d/x"],
    ["/home/me/work", ".vscode/tasks.json"],
    ["/home/me/work", ".git/hooks/pre-commit"],
    ["/home/me/work", ".env"],
  ])
    add.run([where, path]);
  hostile.close();
  await archiveOf(contents, head, true);
  await restoreBackup(file, into());
  const restored = new Libsql(databaseIn(join(folder, "into")));
  expect(
    restored.prepare("SELECT folder || '/' || path AS path FROM checkpoint_files ORDER BY 1").all([]),
  ).toEqual([{ path: "/home/me/work/notes.txt" }, { path: "/home/me/work/sub/more.txt" }]);
  restored.close();
});

test("every table is either backed up or left out on purpose", () => {
  const database = openMemoryDatabase();
  const rows = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all([]);
  const decided = [...backedUpTables, ...checkpointTableNames, ...leftOutTables];
  expect(rows.map((row) => (row as { name: string }).name).sort()).toEqual([...decided].sort());
  database.close();
});
