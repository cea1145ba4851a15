import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openQuick } from "../../e2e/support/launch.ts";
import { power } from "../../e2e/support/machine/power.ts";
import { replies, voiceState } from "../../e2e/support/test.ts";
import { badDisk } from "./bad-disk.ts";
import { patienceMs, type World } from "./world.ts";

/** @returns what could not be done here, in words; anything else: it was done */
type Action = (world: World) => Promise<unknown>;

let gates = 0;
/** A reply that waits in its middle, so that what happens then surely happens there. */
async function inTheMiddle(world: World, happens: () => Promise<unknown> | unknown): Promise<void> {
  const gate = `gate-${++gates}`;
  const text = world.prompt("text", { words: 12, hold: gate, at: 4 });
  const { ended } = await world.type(text);
  world.answered.add(text);
  await world.held(gate);
  await happens();
  await world.scene();
  world.model.release(gate);
  await ended;
}

/** A prompt that meets what its script says on its way. */
async function asked(world: World, name: string, args: object): Promise<void> {
  const text = world.prompt(name, args);
  const { ended } = await world.type(text);
  world.answered.add(text);
  await world.scene();
  await ended;
}

/** A call that would last for ever; `happens` ends it. */
async function duringCall(
  world: World,
  call: { name: string; input: object },
  happens: () => Promise<unknown> | unknown,
): Promise<void> {
  // Its first word, or its first step.
  const begun = world.event("call that goes on", (event) => event.type === "tool.output");
  const text = world.prompt("tools", { calls: [call] });
  const { ended } = await world.type(text);
  const never = ended.then(({ stopReason }) => {
    throw new Error(`the call never went on: ${stopReason}`);
  });
  await Promise.race([begun, never]);
  await happens();
  await world.scene();
  await ended;
}

/** A number by which its processes are found. */
const endless = "echo begun; sleep 31557 & sleep 31557";
const command = (line: string) => ({ calls: [{ name: "shell", input: { command: line } }] });

/** What happens to Parley and around it. Each is over when nothing of it runs any more. */
export const actions: Readonly<Record<string, Action>> = {
  "typed: words": (world) => asked(world, "text", { words: 40 }),
  "typed: tools": (world) =>
    asked(world, "tools", {
      say: "Looking.",
      calls: [
        { name: "calculate", input: { expression: "6 * 7" } },
        { name: "current_time", input: {} },
        { name: "write_file", input: { path: "a.txt", content: "new" } },
      ],
    }),
  "typed: round after round": (world) =>
    asked(world, "loop", { rounds: 4, calls: [{ name: "current_time", input: {} }] }),
  "typed: a command": (world) => asked(world, "tools", command("seq 1 200")),
  "typed: a command that is stopped": (world) =>
    duringCall(world, { name: "shell", input: { command: endless } }, async () => {
      // While it runs, before anybody stops it, too.
      await world.scene();
      await world.page.getByTestId("stop").click();
    }),
  "typed: thinking": (world) => asked(world, "thinking", { calls: [{ name: "current_time", input: {} }] }),
  "typed: a sub-agent": (world) => asked(world, "delegate", { text: "Say hello." }),
  async "typed: three that wait for each other"(world) {
    const gate = `gate-${++gates}`;
    const texts = [{ words: 12, hold: gate }, { words: 12 }, { words: 12 }].map((args) =>
      world.prompt("text", args),
    );
    const ends: Promise<unknown>[] = [];
    for (const text of texts) {
      ends.push((await world.type(text)).ended);
      world.answered.add(text);
    }
    await world.held(gate);
    await world.scene();
    world.model.release(gate);
    await Promise.all(ends);
  },

  async quick(world) {
    const quick = await openQuick(world.parley.app);
    const gate = `gate-${++gates}`;
    const reply = `A quick ${gate}.`;
    const text = world.prompt("text", { text: reply, hold: gate });
    await quick.getByTestId("composer").fill(text);
    await quick.getByTestId("composer").press("Enter");
    await world.held(gate);
    world.taken.add(text);
    world.answered.add(text);
    await world.scene();
    world.model.release(gate);
    await replies(quick).filter({ hasText: reply }).waitFor({ timeout: patienceMs });
    await quick.evaluate(() => window.parley.call("quick.close", undefined));
  },

  async spoken(world) {
    const ended = runEnd(world);
    await startVoice(world);
    await world.scene();
    await ended;
    await stopVoice(world);
  },
  async "the speech server is killed while it listens"(world) {
    const ended = runEnd(world);
    await startVoice(world);
    await ended;
    const wasThere = world.killProgram("scripted-stt-server");
    await world.scene();
    // It is started anew, hears the same again, or says why not: either way voice can be switched off.
    await stopVoice(world);
    if (!wasThere) throw new Error("There was no speech server.");
  },
  async "the recogniser is killed while it listens"(world) {
    await startVoice(world, "built-in");
    await voiceState(world.page, "listening").waitFor({ state: "attached", timeout: patienceMs });
    const notices = world.event(
      "restart of voice",
      (event) => event.type === "voice.state" && event.state === "restarting",
    );
    const wasThere = await world.killPart("Parley speech-to-text");
    await notices;
    await world.scene();
    await voiceState(world.page, "listening").waitFor({ state: "attached", timeout: patienceMs });
    await stopVoice(world);
    if (!wasThere) throw new Error("There was no recogniser.");
  },

  "429 storm": (world) => asked(world, "status", { code: 429, times: 4, retryAfter: "0" }),
  "overloaded in the middle": (world) => asked(world, "overloaded", { times: 2, words: 12 }),
  "a stream is cut": (world) => asked(world, "cut", { times: 2, words: 12, clean: world.random() < 0.5 }),
  "a stream is no JSON": (world) => asked(world, "malformed", { words: 12 }),
  "a stream stands still": (world) => inTheMiddle(world, () => world.road.freeze()),
  "the proxy dies": (world) =>
    inTheMiddle(world, () => {
      world.road.refuse(3);
      world.road.cut();
    }),

  async "the MCP server is killed"(world) {
    await world.serverReady();
    await world.ask("tools", { calls: [{ name: "soak__echo", input: {} }] });
    world.killProgram("scripted-mcp-server");
    await world.scene();
    await world.ask("tools", { calls: [{ name: "soak__echo", input: {} }] });
  },
  async "the MCP server is killed while a call runs"(world) {
    await world.serverReady();
    await duringCall(world, { name: "soak__hang", input: {} }, () =>
      world.killProgram("scripted-mcp-server"),
    );
  },
  async "the fence is killed"(world) {
    await world.ask("tools", command("true"));
    const wasThere = await world.killPart("Parley fence");
    await world.scene();
    await world.ask("tools", command("echo again"));
    if (!wasThere) return "there is no fence here";
  },
  async "the fence is killed while a command runs"(world) {
    let wasThere = false;
    await duringCall(world, { name: "shell", input: { command: endless } }, async () => {
      wasThere = await world.killPart("Parley fence");
      if (!wasThere) world.killProgram("sleep 31557");
    });
    await world.ask("tools", command("echo again"));
    if (!wasThere) return "there is no fence here";
  },
  "a command is killed while it runs": (world) =>
    duringCall(world, { name: "shell", input: { command: endless } }, () => world.killProgram("sleep 31557")),
  async "the voice is killed while it speaks"(world) {
    await world.readAloud();
    const wasThere = await world.killPart("Parley speech");
    await world.scene();
    await world.ask("text", { words: 8 });
    if (!wasThere) return "no voice had been started";
  },
  async "the audio page dies while it plays"(world) {
    await world.readAloud();
    const wasThere = await world.parley.app.evaluate(({ webContents }) => {
      const page = webContents.getAllWebContents().find((one) => one.getURL().includes("/audio/"));
      page?.forcefullyCrashRenderer();
      return page !== undefined;
    });
    await world.scene();
    await world.ask("text", { words: 8 });
    if (!wasThere) return "there was no audio page";
  },

  async "the disk is full"(world) {
    if (world.home.ordinary !== null) return world.home.ordinary;
    world.home.fill();
    const text = world.prompt("text", { words: 8 });
    const takenBy = await world.page.evaluate(async (text) => {
      const view = await window.parley.call("conversation.create", undefined);
      if (!view.ok) return null;
      // How its run ends is told to who looks at it.
      await window.parley.call("conversation.attach", { conversationId: view.value.conversationId });
      const taken = await window.parley.call("conversation.submit", {
        conversationId: view.value.conversationId,
        text,
        origin: "typed",
      });
      return taken.ok && taken.value.inputId !== null ? view.value.conversationId : null;
    }, text);
    await world.scene();
    await world.settle();
    // What could not be kept is not sent: its run ends in words, and the user has the prompt to send again.
    if (takenBy !== null && !world.failed.has(takenBy)) world.taken.add(text);
    world.home.makeRoom();
    await world.ask("text", { words: 8 });
  },
  async "the disk is slow"(world) {
    const slow = await badDisk(world.parley.processes()[0] ?? 0, "slow");
    if (typeof slow === "string") return slow;
    try {
      await asked(world, "tools", {
        calls: [{ name: "write_file", input: { path: "c.txt", content: "new" } }],
      });
      await world.ask("text", { words: 40 });
    } finally {
      await slow.end();
    }
  },
  async "the user data are read-only"(world) {
    const { userData } = world.parley;
    const files = ["parley.db", "parley.db-wal", "parley.db-shm"].map((name) => join(userData, name));
    const readOnly = await badDisk(world.parley.processes()[0] ?? 0, "readOnly", files);
    if (typeof readOnly === "string") return readOnly;
    const text = world.prompt("text", { words: 8 });
    const card = world.page.getByTestId("error-card").last();
    const refused = runEnd(world);
    try {
      await world.send(text);
      const { stopReason, error } = await refused;
      if (stopReason !== "error" || !error?.message)
        throw new Error(`a prompt that could not be kept ended with ${stopReason}`);
      await card.filter({ hasText: error.message }).waitFor({ timeout: patienceMs });
      await world.scene();
    } finally {
      await readOnly.end();
    }
    const ended = runEnd(world);
    await card.getByRole("button", { name: "Retry" }).click();
    const { stopReason } = await ended;
    if (stopReason !== "end_turn")
      throw new Error(`once it could be kept the prompt ended with ${stopReason}`);
    world.taken.add(text);
    world.answered.add(text);
  },
  async "the folder is read-only"(world) {
    if (world.home.ordinary !== null) return world.home.ordinary;
    world.home.setReadOnly(true);
    await asked(world, "tools", {
      calls: [{ name: "write_file", input: { path: "b.txt", content: "new" } }],
    });
    world.home.setReadOnly(false);
  },
  "everything stands still for a second": (world) =>
    inTheMiddle(world, async () => {
      const [pid = 0] = world.parley.processes();
      process.kill(pid, "SIGSTOP");
      await world.scene();
      await wait(1000);
      process.kill(pid, "SIGCONT");
    }),
  "the clock jumps": (world) =>
    inTheMiddle(world, async () => {
      const hours = world.pick([1, -1, 24, -24, 0]);
      await world.parley.app.evaluate((_, hours) => {
        const own = globalThis as { soakNow?: () => number };
        own.soakNow ??= Date.now;
        const { soakNow } = own;
        Date.now = () => soakNow() + hours * 3_600_000;
      }, hours);
    }),
  "sleep and resume": (world) =>
    inTheMiddle(world, async () => {
      await power(world.parley.app, "suspend");
      await power(world.parley.app, "resume");
    }),

  async "the window is closed and opened"(world) {
    const gate = `gate-${++gates}`;
    const text = world.prompt("text", { words: 12, hold: gate, at: 4 });
    await world.type(text);
    world.answered.add(text);
    await world.held(gate);
    await world.closeWindow();
    await world.scene();
    world.model.release(gate);
    await world.openWindow();
    await world.settle();
  },
  async "50 conversations at once"(world) {
    const texts = Array.from({ length: 50 }, () =>
      world.prompt("tools", { calls: [{ name: "calculate", input: { expression: "1 + 1" } }] }),
    );
    const taken = await world.page.evaluate(
      (texts) =>
        Promise.all(
          texts.map(async (text) => {
            const view = await window.parley.call("conversation.create", undefined);
            if (!view.ok) return false;
            const { conversationId } = view.value;
            return (
              await window.parley.call("conversation.submit", { conversationId, text, origin: "typed" })
            ).ok;
          }),
        ),
      texts,
    );
    for (const [index, text] of texts.entries()) {
      if (!taken[index]) throw new Error(`conversation ${index} of 50 did not take its prompt`);
      world.taken.add(text);
      world.answered.add(text);
    }
    // Two for each of them.
    await world.requested(Math.floor(world.random() * texts.length));
    await world.scene();
    await world.settle();
  },
};

const runEnd = (world: World) => world.event("end of a run", (event) => event.type === "run.ended" && event);

/** `hears` hears one prompt each time. Set here, since the app may have been killed while it heard by the other. */
async function startVoice(world: World, server: "hears" | "built-in" = "hears"): Promise<void> {
  await world.page.evaluate(
    (value) => window.parley.call("setting.change", { key: "voice.server", value }),
    server,
  );
  if (server === "hears") world.spoken++;
  await world.send("/voice start");
}

async function stopVoice(world: World): Promise<void> {
  await world.send("/voice stop");
  await voiceState(world.page, "off").waitFor({ state: "attached", timeout: patienceMs });
}
