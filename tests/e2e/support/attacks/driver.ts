import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConversationView, TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import type { PermissionLevel } from "../../../../shared/safety/permissions.ts";
import type { ToolCall } from "../../../attacks/attack.ts";
import type { Parley } from "../launch.ts";

export type Card = Extract<TranscriptItem, { kind: "approval" }>;

/** What the user says to a card. */
export type CardAnswer = "deny" | "once" | "session" | "outside";

/**
 * Drives many conversations of one running app at once, by the calls that its own window makes. It waits for what the
 * window is told.
 */
export class Driver {
  readonly #parley: Parley;
  #opening: Promise<unknown> = Promise.resolve();

  private constructor(parley: Parley) {
    this.#parley = parley;
  }

  static async of(parley: Parley): Promise<Driver> {
    // The user picks what the file says.
    await parley.app.evaluate(
      ({ dialog }, file) => {
        const { readFileSync } = process.getBuiltinModule("node:fs");
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [readFileSync(file, "utf8")] });
      },
      join(parley.home, "picked-folder"),
    );
    await parley.page.evaluate(inWindow);
    return new Driver(parley);
  }

  /** Waits until it is known whether commands can be fenced. @throws Error where they cannot, with why */
  async expectFence(): Promise<void> {
    const why = await this.#parley.page.evaluate(
      () =>
        new Promise<string | null>((resolve) => {
          const look = async () => {
            const info = await window.parley.call("app.info", undefined);
            if (!info.ok) return resolve(info.error.message);
            const { isThere, why } = info.value.fence;
            if (isThere || !why?.includes("not checked for the fence yet")) resolve(isThere ? null : why);
          };
          window.parley.onPush((push) => void (push.type === "app" && look()));
          void look();
        }),
    );
    if (why !== null) throw new Error(`There is no fence: ${why}`);
  }

  /** A new conversation in a folder. */
  async open(folder: string, mode: PermissionLevel): Promise<string> {
    // One after the other: the folder is the next answer of the system's dialog.
    const opened = this.#opening.then(async () => {
      writeFileSync(join(this.#parley.home, "picked-folder"), folder);
      return await this.#parley.page.evaluate(
        async ({ folder, mode }) => await window.driver.open(folder, mode),
        {
          folder,
          mode,
        },
      );
    });
    this.#opening = opened.catch(() => {});
    return await opened;
  }

  /** Sends a prompt and answers every card until its run has ended. @returns the cards, as they were answered */
  async run(
    conversationId: string,
    prompt: string,
    answer: (card: Card) => CardAnswer,
    limitMs = 90_000,
  ): Promise<{ card: Card; answer: CardAnswer }[]> {
    const answered: { card: Card; answer: CardAnswer }[] = [];
    const until = Date.now() + limitMs;
    const submitted = { conversationId, text: prompt, origin: "typed" };
    let orders: Order[] = [["conversation.submit", submitted]];
    for (;;) {
      const { state, cards, error } = await this.#next(conversationId, orders, until - Date.now());
      if (state === "late") throw new Error(`It had not ended after ${limitMs} ms.`);
      if (error !== null) throw new Error(error);
      if (state === "idle") return answered;
      orders = cards.map((card) => {
        const said = answer(card);
        answered.push({ card, answer: said });
        return ["approval.answer", { conversationId, approvalId: card.key, ...wordsOf(said) }];
      });
    }
  }

  async abort(conversationId: string): Promise<void> {
    await this.#call("conversation.stop", { conversationId });
  }

  async close(conversationId: string): Promise<void> {
    await this.#call("conversation.delete", { conversationId });
  }

  async #next(conversationId: string, orders: readonly Order[], limitMs: number): Promise<Next> {
    return await this.#parley.page.evaluate(
      async (asked) => await window.driver.next(asked.conversationId, asked.orders, asked.limitMs),
      { conversationId, orders, limitMs },
    );
  }

  async #call(...order: Order): Promise<void> {
    await this.#parley.page.evaluate(async (order) => void (await window.driver.call(...order)), order);
  }
}

/** A route, and what goes with it. */
type Order = [route: string, input: unknown];

/** When a conversation waits for the user, has ended, or takes too long. */
interface Next {
  state: "idle" | "awaiting_input" | "late";
  /** Those that wait. */
  cards: Card[];
  /** Why the run failed. */
  error: string | null;
}

/** What stands in the window for the driver: one call from outside does what takes it many. */
interface InWindow {
  call(route: string, input: unknown): Promise<unknown>;
  open(folder: string, mode: string): Promise<string>;
  /** Gives the orders, then waits for what comes next. */
  next(conversationId: string, orders: readonly Order[], limitMs: number): Promise<Next>;
}

/** Runs in the window. */
function inWindow(): void {
  // Nobody looks: to paint it takes longer than most attacks.
  document.documentElement.style.display = "none";
  const states = new Map<string, string>();
  const waiting = new Map<string, () => void>();
  window.parley.onPush((push) => {
    if (push.type !== "session") return;
    states.set(push.summary.conversationId, push.summary.state);
    waiting.get(push.summary.conversationId)?.();
  });
  const call = async (route: string, input: unknown) => {
    const result = await Reflect.apply(window.parley.call, undefined, [route, input]);
    if (!result.ok) throw new Error(`${route}: ${result.error.message}`);
    return result.value;
  };
  const settled = (id: string, limitMs: number) =>
    new Promise<Next["state"]>((resolve) => {
      const done = (state: Next["state"]) => {
        clearTimeout(timer);
        waiting.delete(id);
        states.delete(id);
        resolve(state);
      };
      const timer = setTimeout(() => done("late"), Math.max(0, limitMs));
      const look = () => {
        const now = states.get(id);
        if (now === "idle" || now === "awaiting_input") done(now);
      };
      waiting.set(id, look);
      look();
    });
  const shown = async (id: string) => {
    const view: ConversationView = await call("conversation.attach", { conversationId: id });
    const failed = view.items.find((item) => item.kind === "error");
    const cards = view.items
      .filter((item) => item.kind === "approval")
      .filter(({ status }) => status === "waiting");
    return { cards, error: failed?.error.message ?? null };
  };
  window.driver = {
    call,
    async open(folder, mode) {
      const { conversationId } = await call("conversation.create", undefined);
      const { workingFolder } = await call("conversation.pickFolder", { conversationId });
      if (workingFolder !== folder) throw new Error(`It works in ${workingFolder}.`);
      await call("permission.mode", { conversationId, mode });
      return conversationId;
    },
    async next(id, orders, limitMs) {
      const until = Date.now() + limitMs;
      const isNew = orders.some(([route]) => route === "conversation.submit");
      if (isNew) states.delete(id);
      // The command that asked may have ended meanwhile: its card is gone.
      const isLate = (error: unknown) => /no longer waiting/.test(String(error));
      for (const order of orders) {
        await call(...order).catch((error: unknown) => {
          if (!isLate(error)) throw error;
        });
      }
      // More than one card may wait at once.
      const { cards } = isNew ? { cards: [] } : await shown(id);
      if (cards.length > 0) return { state: "awaiting_input", cards, error: null };
      for (;;) {
        const state = await settled(id, until - Date.now());
        if (state === "late") await call("conversation.stop", { conversationId: id });
        const now = await shown(id);
        if (state === "idle") return { state, ...now };
        if (state === "late" || now.cards.length > 0) return { state, cards: now.cards, error: null };
      }
    },
  };
}

const wordsOf = (answer: CardAnswer) =>
  answer === "deny"
    ? { allowed: false }
    : {
        allowed: true,
        scope: answer === "session" ? "session" : "once",
        ...(answer === "outside" && outside),
      };

/** How the window says that a command is to run without its fence, for once. */
const outside = { outside: true };

declare global {
  interface Window {
    driver: InWindow;
  }
}

/** A prompt whose answer is these calls. @param mark stands before it, to tell its requests from others */
export function promptFor(mark: string, calls: readonly ToolCall[]): string {
  // The script's end, `]]`, may stand nowhere in it.
  const json = JSON.stringify({ calls }).replace(/"(?:[^"\\]|\\.)*"|\]/g, (part) =>
    part === "]" ? "] " : part.replaceAll("]", "\\u005d"),
  );
  return `${mark} [[script:tools ${json}]]`;
}
