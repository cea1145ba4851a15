import { FenceError, type FenceHost } from "../../agent/ports/ports.ts";
import { type FenceAnswer, type FenceRequest, fenceAnswer } from "./protocol.ts";

/** A process that messages can be sent to. */
export interface FenceChild {
  send(message: FenceRequest): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once. */
  onExit(listener: () => void): void;
  kill(): void;
}

/** Starts the program of a fence. @param folder that it stands in: an empty one */
export type StartFenceChild = (options: { folder: string; env: Record<string, string> }) => FenceChild;

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
type Order = Without<Extract<FenceRequest, { id: number }>, "id">;

/** The process of one conversation's fence, started at once and gone for good when it ends. */
export class FenceProcess {
  readonly #child: FenceChild;
  readonly #waiting = new Map<number, { resolve(answer: FenceAnswer): void; reject(error: Error): void }>();
  readonly #onBeyond = new Map<number, (why: string) => void>();
  readonly #onGone = new Set<() => void>();
  /** Commands that are being wrapped, or were and have not ended. */
  readonly #commands = new Set<string>();
  #ready: Promise<void>;
  #nextId = 1;
  #isGone = false;

  constructor(
    child: FenceChild,
    start: Extract<FenceRequest, { type: "start" }>,
    ask: (host: FenceHost) => Promise<{ allowed: boolean; why: string }>,
  ) {
    this.#child = child;
    this.#ready = new Promise((resolve, reject) => {
      this.#waiting.set(0, { resolve: () => resolve(), reject });
    });
    this.#ready.catch(() => {});
    child.onMessage((message) => {
      const answer = fenceAnswer.safeParse(message);
      if (answer.success) this.#heard(answer.data, ask);
      else child.kill();
    });
    child.onExit(() => this.#gone());
    child.send(start);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether a command runs in it. */
  get isInUse(): boolean {
    return this.#commands.size > 0;
  }

  /** @throws FenceError */
  async wrap(order: Without<Extract<FenceRequest, { type: "wrap" }>, "id" | "type">): Promise<string> {
    // It is in use from here on, not only once it is ready: nobody ends it meanwhile.
    this.#commands.add(order.commandId);
    await this.#ready;
    const answer = await this.#order({ ...order, type: "wrap" });
    if (answer.type === "wrapped") return answer.text;
    this.#commands.delete(order.commandId);
    throw new FenceError(answer.type === "refused" ? answer.message : "The fence did not answer.");
  }

  /** @returns what ends the watch */
  watch(
    order: Without<Extract<FenceRequest, { type: "watch" }>, "id" | "type">,
    onBeyond: (why: string) => void,
  ): number {
    const id = this.#nextId++;
    this.#onBeyond.set(id, onBeyond);
    this.#child.send({ ...order, type: "watch", id });
    return id;
  }

  /** @param watch of the command, where it ran @returns what the proxies refused it, as the library says it */
  async ended(commandId: string, watch: number | null): Promise<readonly string[]> {
    this.#commands.delete(commandId);
    if (this.#isGone) return [];
    const id = watch ?? this.#nextId++;
    const answer = await this.#send({ type: "ended", commandId, id }).catch(() => null);
    // Only now: why it was ended may have been on its way.
    this.#onBeyond.delete(id);
    return answer?.type === "over" ? answer.lines : [];
  }

  /** Called at once where it is gone already. @returns what takes the listener back */
  onGone(listener: () => void): () => void {
    if (this.#isGone) listener();
    else this.#onGone.add(listener);
    return () => this.#onGone.delete(listener);
  }

  async end(): Promise<void> {
    if (this.#isGone) return;
    const gone = new Promise<void>((resolve) => this.onGone(resolve));
    this.#child.send({ type: "quit" });
    const late = setTimeout(() => this.#child.kill(), endMs);
    await gone;
    clearTimeout(late);
  }

  #order(order: Order): Promise<FenceAnswer> {
    return this.#send({ ...order, id: this.#nextId++ });
  }

  #send(request: Extract<FenceRequest, { id: number }>): Promise<FenceAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#isGone) return reject(gone());
      this.#waiting.set(request.id, { resolve, reject });
      this.#child.send(request);
    });
  }

  #heard(answer: FenceAnswer, ask: (host: FenceHost) => Promise<{ allowed: boolean; why: string }>): void {
    if (answer.type === "ask") {
      const { id, host, port } = answer;
      const send = (given: { allowed: boolean; why: string }) => {
        if (!this.#isGone) this.#child.send({ type: "answer", id, ...given });
      };
      ask({ host, port }).then(send, (error: unknown) => send({ allowed: false, why: String(error) }));
    } else if (answer.type === "beyond") this.#onBeyond.get(answer.id)?.(answer.why);
    else if (answer.type === "failed") {
      this.#waiting.get(0)?.reject(new FenceError(answer.message));
      this.#child.kill();
    } else {
      const id = answer.type === "ready" ? 0 : answer.id;
      this.#waiting.get(id)?.resolve(answer);
      this.#waiting.delete(id);
    }
  }

  #gone(): void {
    this.#isGone = true;
    for (const { reject } of this.#waiting.values()) reject(gone());
    this.#waiting.clear();
    for (const listener of [...this.#onGone]) listener();
    this.#onGone.clear();
  }
}

/** How long it may take to close its proxies, in milliseconds. */
const endMs = 2000;

const gone = () => new FenceError("The process of the fence ended. Nothing was run. Try again.");
