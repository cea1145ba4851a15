import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import { maxRunsAtOnce } from "../../../electron/agent/conversation/conversations.ts";
import { createCommandRegistry } from "../../../electron/commands/registry.ts";
import { checkpointCommand } from "../../../electron/conversation-commands/checkpoint-command.ts";
import { checkpointRoutes } from "../../../electron/desktop/ipc/checkpoint-routes.ts";
import {
  type OpenCheckpoints,
  openCheckpoints,
} from "../../../electron/store/checkpoints/thread/open-checkpoints.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import type { RewindOutcome, RewindTarget } from "../../../shared/conversation/checkpoints.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { createRig, eventsOf, ofType, type Rig, say, typed } from "../agent/agent-rig.ts";
import { held } from "../sessions/session-rig.ts";

const entry = join(
  import.meta.dirname,
  "../../../electron/store/checkpoints/thread/checkpoint-thread-source.mjs",
);
let base: string;
let store: ReturnType<typeof openSqliteStore>;
let checkpoints: OpenCheckpoints;
let rig: Rig;
let conversation: Conversation;
/** What happens while files are being put back. */
let meanwhile: () => unknown = () => {};

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), "parley-rewind-"));
  const file = join(base, "parley.db");
  const faults: unknown[] = [];
  const reportError = (error: unknown) => faults.push(error);
  store = openSqliteStore(file, reportError);
  checkpoints = openCheckpoints({ file, entry, settings: () => defaultSettings, reportError });
  meanwhile = () => {};
  const rewinding: OpenCheckpoints = {
    ...checkpoints,
    rewindFiles: async (...args) => {
      await meanwhile();
      return await checkpoints.rewindFiles(...args);
    },
  };
  rig = await createRig({ store, checkpoints, rewinding });
  conversation = rig.conversations.create();
});
afterEach(async () => {
  await rig.close();
  await checkpoints.close();
  store.close();
  rmSync(base, { recursive: true });
});

const writing = (content: string) =>
  `Please [[script:tools ${JSON.stringify({ calls: [{ name: "write_file", input: { path: "a", content } }] })}]]`;
const said = () => readFileSync(join(rig.folder, "a"), "utf8");
const prompts = () =>
  conversation.history.flatMap(({ origin, content }) => (origin === "typed" ? [textOf(content)] : []));
const lastNote = () => conversation.view().items.findLast(({ kind }) => kind === "note");

/** Two turns that write a file. @returns the second prompt, and its checkpoint */
async function twoTurns(): Promise<{ messageId: string; checkpointId: string }> {
  await say(conversation, writing("one"));
  const events = await say(conversation, writing("two"));
  const [prompt] = ofType(events, "message.added");
  const [made] = ofType(events, "checkpoint.created");
  return { messageId: prompt?.message.id ?? "", checkpointId: made?.checkpointId ?? "" };
}

function commands() {
  const find = () => conversation;
  const options = { rewinding: checkpoints, settings: () => defaultSettings, conversation: find };
  return createCommandRegistry([checkpointCommand(options)]);
}
const type = async (line: string) => await commands().answer(line, { conversationId: conversation.id });
const routes = () =>
  checkpointRoutes({ rewinding: checkpoints, find: () => conversation, openFile: async () => {} });
/** As the window asks for it. */
async function rewind(target: RewindTarget): Promise<RewindOutcome> {
  const call = { conversationId: conversation.id, target, part: "both", overwrite: false } as const;
  return await routes()["checkpoint.rewind"](call);
}

describe("a rewind", () => {
  // Bug: the files came back, and then the conversation was refused, or lost what was said meanwhile.
  test.each(["the window", "/checkpoint rewind"])(
    "by %s is whole though a prompt comes meanwhile",
    async (way) => {
      const { messageId, checkpointId } = await twoTurns();
      let reply: Promise<unknown> = Promise.resolve();
      meanwhile = () => {
        reply = say(conversation, "And now?");
      };
      if (way.startsWith("/")) {
        expect((await type(`${way} ${checkpointId}`)).output).toContain("1 prompt left the view");
      } else
        expect(await rewind({ messageId })).toMatchObject({ prompts: 1, files: [{ result: "restored" }] });
      expect(said()).toBe("one");
      await reply;
      expect(prompts()).toEqual([writing("one"), "And now?"]);
      expect(store.loadInputs(conversation.id)).toEqual([]);
    },
  );

  // Bug: while it waited for another conversation's run, the files came back and the conversation was refused.
  test("touches nothing while a prompt waits for its turn", async () => {
    const { messageId, checkpointId } = await twoTurns();
    const others = Array.from({ length: maxRunsAtOnce }, (_, place) =>
      rig.conversations.create().submit(held(`busy-${place}`)),
    );
    const waiting = conversation.submit(typed("Later"));
    await expect(rewind({ messageId })).rejects.toThrow("Remove them first");
    expect(await type(`/checkpoint rewind ${checkpointId}`)).toMatchObject({ isError: true });
    expect(said()).toBe("two");
    for (const place of others.keys()) rig.server.release(`busy-${place}`);
    await Promise.all([...others, waiting].map(eventsOf));
  });

  test("lets nothing else move the conversation meanwhile", async () => {
    const { messageId } = await twoTurns();
    await eventsOf(conversation.submit(typed("[[script:error {}]]")));
    const refused: string[] = [];
    const tried = async (move: () => unknown) => {
      try {
        await move();
      } catch (error) {
        refused.push(String(error));
      }
    };
    meanwhile = async () => {
      for (const move of [
        () => conversation.retry(),
        () => conversation.editPrompt(messageId, "Other"),
        () => conversation.regenerate(messageId),
        () => conversation.showBranch(messageId),
        () => conversation.changeFolder("/"),
        () => rewind({ messageId }),
        () => conversation.redo(),
      ])
        await tried(move);
    };
    await rewind({ messageId });
    expect(refused).toEqual(Array(7).fill("Error: A rewind is in progress. Wait until it is done."));
    expect(prompts()).toEqual([writing("one")]);
  });

  test("lets what Parley says to the model wait until it is done", async () => {
    const { messageId } = await twoTurns();
    meanwhile = () => conversation.note("It was sent.");
    await rewind({ messageId });
    expect(conversation.history.some(({ origin }) => origin === "system")).toBe(false);
    await say(conversation, "Go on");
    const added = conversation.history.slice(-3).map(({ content }) => textOf(content));
    expect(added.slice(0, 2)).toEqual(["It was sent.", "Go on"]);
  });

  test("to what is no prompt is refused before any file is touched", async () => {
    await twoTurns();
    const reply = conversation.history.at(-1)?.id ?? "";
    await expect(rewind({ messageId: reply })).rejects.toThrow("Only a prompt");
    expect(said()).toBe("two");
  });

  // Bug: a call that failed counted as one that still went on, and every rewind was refused.
  test("goes back behind a call that failed", async () => {
    const { messageId } = await twoTurns();
    const failing = { name: "edit_file", input: { path: "missing", old_string: "1", new_string: "2" } };
    await say(conversation, `Please [[script:tools ${JSON.stringify({ calls: [failing] })}]]`);
    await rewind({ messageId });
    expect(said()).toBe("one");
  });

  test("is finished before the conversation is closed", async () => {
    const { messageId } = await twoTurns();
    let closed: Promise<unknown> = Promise.resolve();
    meanwhile = () => {
      closed = conversation.dispose();
    };
    const rewound = rewind({ messageId });
    const order = [rewound.then(() => "rewound"), rewound.then(() => closed).then(() => "closed")];
    expect(await Promise.race(order)).toBe("rewound");
    await closed;
    expect(prompts()).toEqual([writing("one")]);
  });

  // Bug: the command said "Rewound" of a redo, and the window offered to take it back again.
  test.each(["/checkpoint redo", "the window"])("is taken back by %s, which says so", async (way) => {
    const { messageId } = await twoTurns();
    await rewind({ messageId });
    expect(lastNote()).toMatchObject({ text: expect.stringMatching(/^Rewound/), canRedo: true });
    if (way.startsWith("/")) await type(way);
    else await routes()["checkpoint.redo"]({ conversationId: conversation.id });
    expect(lastNote()).toMatchObject({ text: expect.stringMatching(/^Rewind undone/), canRedo: false });
    expect(said()).toBe("two");
    expect(prompts()).toEqual([writing("one"), writing("two")]);
  });
});

describe("the files that a conversation changed", () => {
  const changes = () =>
    checkpointRoutes({ rewinding: checkpoints, find: () => conversation, openFile: async () => {} })[
      "checkpoint.changes"
    ]({
      conversationId: conversation.id,
    });

  test("are told from before its first change to now, with the way back to before all of them", async () => {
    expect(await changes()).toEqual({ files: [], checkpointId: null });
    await say(conversation, writing("one\ntwo\n"));
    await say(conversation, writing("one\nthree\n"));
    const { files, checkpointId } = await changes();
    expect(files).toEqual([{ path: "a", change: "created", diff: expect.stringContaining("+one\n+three") }]);
    await conversation.rewind({ checkpointId: String(checkpointId) }, { part: "files", overwrite: false });
    expect((await changes()).files).toEqual([]);
    await conversation.redo();
    expect((await changes()).files).toHaveLength(1);
  });

  test("are not those that only somebody else changed", async () => {
    writeFileSync(join(rig.folder, "a"), "same\n");
    await say(conversation, writing("same\n"));
    writeFileSync(join(rig.folder, "a"), "by hand\n");
    expect((await changes()).files).toEqual([]);
  });

  test("no other file is opened", async () => {
    await say(conversation, writing("one\n"));
    const routes = checkpointRoutes({
      rewinding: checkpoints,
      find: () => conversation,
      openFile: async () => {},
    });
    await expect(
      routes["checkpoint.openFile"]({ conversationId: conversation.id, path: "/etc/passwd" }),
    ).rejects.toThrow("was not changed here");
  });
});
