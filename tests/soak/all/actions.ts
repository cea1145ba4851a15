import { setTimeout as wait } from "node:timers/promises";
import { openQuick } from "../../e2e/support/launch.ts";
import { power } from "../../e2e/support/machine/power.ts";
import { replies, voiceState } from "../../e2e/support/test.ts";
import { slowDisk } from "./slow-disk.ts";
import { patienceMs, type World } from "./world.ts";

/** @returns what could not be done here, in words; anything else: it was done */
type Action = (world: World) => Promise<unknown>;

let gates = 0;
/** A reply that waits in its middle, so that what happens then surely happens there. */
async function inTheMiddle(world: World, happens: () => Promise<unknown> | unknown): Promise<void> {
  const gate = `gate-${++gates}`;
  const text = world.prompt("text", { words: 12, hold: gate, at: 4 });
  const over = await world.type(text);
  world.answered.add(text);
  await world.model.held(gate);
  await happens();
  world.model.release(gate);
  await over();
}

const command = (line: string) => ({ calls: [{ name: "shell", input: { command: line } }] });

/** What happens to Parley and around it. Each is over when nothing of it runs any more. */
export const actions: Readonly<Record<string, Action>> = {
  "typed: words": (world) => world.ask("text", { words: 40 }),
  "typed: tools": (world) =>
    world.ask("tools", {
      calls: [
        { name: "calculate", input: { expression: "6 * 7" } },
        { name: "current_time", input: {} },
        { name: "write_file", input: { path: "a.txt", content: "new" } },
      ],
    }),
  "typed: a command": (world) => world.ask("tools", command("seq 1 200")),
  "typed: thinking": (world) => world.ask("thinking", { calls: [{ name: "current_time", input: {} }] }),
  "typed: a sub-agent": (world) => world.ask("delegate", { text: "Say hello." }),

  async quick(world) {
    const quick = await openQuick(world.parley.app);
    const text = world.prompt("text", { text: `quick reply ${++gates}` });
    await quick.getByTestId("composer").fill(text);
    await quick.getByTestId("composer").press("Enter");
    await replies(quick)
      .filter({ hasText: `quick reply ${gates}` })
      .waitFor({ timeout: patienceMs });
    world.taken.add(text);
    world.answered.add(text);
    await quick.evaluate(() => window.parley.call("quick.close", undefined));
  },

  async spoken(world) {
    const { ended } = await world.page.evaluate(() => window.soak);
    await voice(world, "start");
    await world.page.waitForFunction((before) => window.soak.ended > before, ended, { timeout: patienceMs });
    await voice(world, "stop");
  },
  async "the speech server is killed while it listens"(world) {
    const { ended } = await world.page.evaluate(() => window.soak);
    await voice(world, "start");
    await world.page.waitForFunction((before) => window.soak.ended > before, ended, { timeout: patienceMs });
    const wasThere = world.killProgram("scripted-stt-server");
    // It is started anew, hears the same again, or says why not: either way voice can be switched off.
    await voice(world, "stop");
    if (!wasThere) throw new Error("There was no speech server.");
  },

  "429 storm": (world) => world.ask("status", { code: 429, times: 4, retryAfter: "0" }),
  "overloaded in the middle": (world) => world.ask("overloaded", { times: 2, words: 12 }),
  "a stream is cut": (world) => world.ask("cut", { times: 2, words: 12, clean: world.random() < 0.5 }),
  "a stream is no JSON": (world) => world.ask("malformed", { words: 12 }),
  "a stream stands still": (world) => inTheMiddle(world, () => world.road.freeze()),
  "the proxy dies": (world) =>
    inTheMiddle(world, () => {
      world.road.refuse(3);
      world.road.cut();
    }),

  async "the MCP server is killed"(world) {
    await world.ask("tools", { calls: [{ name: "soak__echo", input: {} }] });
    world.killProgram("scripted-mcp-server");
    await world.ask("tools", { calls: [{ name: "soak__echo", input: {} }] });
  },
  async "the fence is killed"(world) {
    await world.ask("tools", command("true"));
    const wasThere = await world.killPart("Parley fence");
    await world.ask("tools", command("echo again"));
    if (!wasThere) return "there is no fence here";
  },
  async "the voice is killed while it speaks"(world) {
    await world.readAloud();
    const wasThere = await world.killPart("Parley speech");
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
    await world.settle();
    // What could not be kept is not sent: its run ends in words, and the user has the prompt to send again.
    const isRefused = await world.page.evaluate(
      (id) => window.soak.failed.some((one) => one === id),
      takenBy,
    );
    if (takenBy !== null && !isRefused) world.taken.add(text);
    world.home.makeRoom();
    await world.ask("text", { words: 8 });
  },
  async "the disk is slow"(world) {
    const slow = await slowDisk(world.parley.processes()[0] ?? 0);
    if (typeof slow === "string") return slow;
    try {
      await world.ask("tools", { calls: [{ name: "write_file", input: { path: "c.txt", content: "new" } }] });
      await world.ask("text", { words: 40 });
    } finally {
      await slow.end();
    }
  },
  async "the folder is read-only"(world) {
    if (world.home.ordinary !== null) return world.home.ordinary;
    world.home.setReadOnly(true);
    await world.ask("tools", { calls: [{ name: "write_file", input: { path: "b.txt", content: "new" } }] });
    world.home.setReadOnly(false);
  },
  "everything stands still for a second": (world) =>
    inTheMiddle(world, async () => {
      const [pid = 0] = world.parley.processes();
      process.kill(pid, "SIGSTOP");
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
    await world.model.held(gate);
    await world.closeWindow();
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
    await world.settle();
  },
};

async function voice(world: World, order: "start" | "stop"): Promise<void> {
  if (order === "start") world.spoken++;
  const { page } = world;
  await page.getByTestId("composer").fill(`/voice ${order}`);
  await page.getByTestId("composer").press("Enter");
  if (order === "stop") await voiceState(page, "off").waitFor({ state: "attached", timeout: patienceMs });
}
