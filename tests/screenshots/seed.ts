import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "../../electron/store/sqlite-store.ts";
import { now } from "./stage.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Titles, and how long before `now` each was used last. */
const others: readonly [title: string, agoMs: number, pinned?: boolean][] = [
  ["House search, Utrecht", 2 * hourMs, true],
  ["Move invoices to Postgres", 1.2 * hourMs],
  ["Dinner for six, one vegan", 2.5 * hourMs],
  ["Why the build is slow", dayMs],
  ["Morning news", dayMs + 2 * hourMs],
  ["Letter to the landlord", 3 * dayMs],
  ["Sensors in the greenhouse", 3.5 * dayMs],
  ["Lisbon in May", 4 * dayMs],
  ["Tax return, questions", 5 * dayMs],
];

/** Conversations of this day and of others. */
export function seedOthers(userData: string): void {
  const store = openSqliteStore(join(userData, "parley.db"), (error) => {
    throw error;
  });
  for (const [place, [title, agoMs, isPinned = false]] of others.entries()) {
    const id = `01SEED${String(place).padStart(20, "0")}`;
    const at = now - agoMs;
    store.saveConversation({
      id,
      title,
      workingFolder: join(userData, "../Parley"),
      model: "claude-sonnet-4-6",
      createdAt: at,
      updatedAt: at,
    });
    store.changeSession(id, { title, hasOwnTitle: true, isPinned });
    const said = (role: "user" | "assistant", text: string) =>
      store.appendMessage(id, {
        id: `${id}-${role === "user" ? 0 : 1}`,
        role,
        origin: role === "user" ? "typed" : null,
        source: null,
        content: [{ type: "text", text }],
        createdAt: at,
      });
    said("user", title);
    said("assistant", "Done.");
  }
  store.close();
}

const changelog =
  "# Changelog\n\nWhat people notice, newest first.\n\n## 2.4.0\n- Various fixes\n\n## 2.3.1\n- Small fixes\n";

/** A working folder with a history, as a project has it. */
export function seedProject(home: string): void {
  const folder = join(home, "Parley");
  const files = {
    "CHANGELOG.md": changelog,
    "docs/voice.md": "# Voice\n\nParley listens to the microphone.\n".repeat(20),
    "docs/tray.md": "# The tray\n\nThe icon shows what Parley is doing.\n".repeat(17),
    "scripts/notes.ts": "const kept = commits.filter((one) => !reverted.has(one.id));\n".repeat(12),
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=P", "-c", "user.email=p@example.com", ...args], { cwd: folder });
  git("init", "--quiet", "--initial-branch=main");
  git("add", ".");
  git("commit", "--quiet", "--message", "Begin");
}
