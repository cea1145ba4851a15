import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toApiMessages } from "../../../electron/agent/context/history.ts";
import { findSteeringFiles } from "../../../electron/fence/watch/steering-files.ts";
import { readShellScript } from "../../../electron/permissions/commands/shell-script.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { openFlite } from "../../../electron/voice/tts/flite.ts";
import type { Message } from "../../../shared/conversation/messages.ts";
import { itemOf } from "../../../shared/conversation/transcript-items.ts";
import { isProtected } from "../../../shared/safety/protected-files.ts";
import { withoutSecrets } from "../../../shared/safety/redact.ts";
import { isSecretPath } from "../../../shared/safety/secret-files.ts";
import { clipPcm, embeddedModel } from "../../integration/stt/stt-in-process.ts";

/** Work that is timed as a whole; each takes some milliseconds, so that a timer is exact enough. */
export interface Scenario {
  title: string;
  run(): unknown;
}

/** What scenarios are compared with: the same work on every computer, measured beside them. */
export const reference = "3,000 rows written as JSON, read and sorted";

/** Made of what stays between the rounds. */
export interface Scenarios {
  list: Readonly<Record<string, Scenario>>;
  reference(): void;
  close(): void;
}

const sessions = 500;
const longMessages = 2000;
const projectFiles = 2000;
const command = "cd src && grep -rn 'TODO' --include='*.ts' . | sort | head -20 > ../todo.txt; git status";

export async function makeScenarios(): Promise<Scenarios> {
  const folder = mkdtempSync(join(tmpdir(), "parley-compare-"));
  const store = openSqliteStore(join(folder, "parley.db"), (error) => {
    throw error;
  });
  for (let index = 0; index < sessions; index++) addSession(`session-${index}`, 4);
  addSession("long", longMessages);
  addSession("kept", 0);
  const long = store.loadMessages("long");
  const text = long.map(({ content }) => JSON.stringify(content)).join("\n");
  const rows = Array.from({ length: 3000 }, (_, index) => ({
    id: (index * 7919) % 3001,
    name: `row ${index}`,
  }));
  await store.search({ words: "river", limit: 50 });
  const project = join(folder, "project");
  for (let index = 0; index < projectFiles; index++) {
    const part = join(project, `part-${index % 60}`);
    mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `file-${index}.ts`), "");
  }
  const voice = await openFlite("slt");
  const model = await embeddedModel();
  const speech = (await clipPcm("0880")).subarray(0, 16_000);
  let appended = 0;

  function addSession(id: string, messages: number): void {
    const common = { id, title: `About ${id}`, workingFolder: "/home/somebody/Parley", model: "opus" };
    store.saveConversation({ ...common, createdAt: 1, updatedAt: 1 });
    for (let place = 0; place < messages; place++)
      store.appendMessage(id, messageOf(`${id}-${place}`, place));
  }

  return {
    list: {
      append: {
        title: "keep ten messages",
        run: () => many(10, () => store.appendMessage("kept", messageOf(`kept-${appended}`, appended++))),
      },
      open: {
        title: "open its last hundred messages, five times",
        run: () => many(5, () => store.loadPage("long", { limit: 100 })),
      },
      whole: {
        title: "load a conversation of 2,000 messages",
        run: () => store.loadMessages("long"),
      },
      list: {
        title: "list 500 conversations",
        run: () => store.listSessions({ limit: sessions }),
      },
      search: {
        title: "search a word that is in every other message",
        run: () => store.search({ words: "river", limit: 50 }),
      },
      history: {
        title: "2,000 messages as a request has them, ten times",
        run: () => many(10, () => toApiMessages(long)),
      },
      shown: {
        title: "2,000 messages as the window shows them, ten times",
        run: () => many(10, () => long.map((message) => itemOf(message))),
      },
      commands: {
        title: "read a hundred commands as rules see them",
        run: () => many(100, () => readShellScript(command)),
      },
      fence: {
        title: "look for what a fence hides among 2,000 files",
        run: () => findSteeringFiles(project, { isProtected, isHidden: isSecretPath, remade: [] }),
      },
      speak: {
        title: "make the sound of a sentence with the embedded voice",
        run: () => voice.synthesise("The harbour lies behind the hill.", 1),
      },
      hear: {
        title: "recognise a second of speech with the embedded recogniser",
        run: async () => {
          const recogniser = model.createRecogniser({ canWait: true });
          await recogniser.accept(speech);
          await recogniser.finish();
          recogniser.dispose();
        },
      },
      redact: {
        title: "look for secrets in a megabyte of text",
        run: () => withoutSecrets(text.slice(0, 1_000_000)),
      },
    },
    reference() {
      const read: typeof rows = JSON.parse(JSON.stringify(rows));
      read.sort((one, other) => one.id - other.id);
    },
    close() {
      store.close();
      model.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}

function many(times: number, work: () => unknown): void {
  for (let count = 0; count < times; count++) work();
}

const sentence =
  "Beside the river stood a mill that nobody had used since the war, and its wheel still turned. ";

function messageOf(id: string, place: number): Message {
  const isPrompt = place % 2 === 0;
  const text = isPrompt ? sentence.repeat(2) : sentence.replace("river", "water").repeat(8);
  return {
    id,
    role: isPrompt ? "user" : "assistant",
    origin: isPrompt ? "typed" : null,
    source: null,
    content: [{ type: "text", text }],
    createdAt: place + 1,
  };
}
