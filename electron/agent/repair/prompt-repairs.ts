import { join } from "node:path";
import type { AgentEventBody } from "../../../shared/conversation/events.ts";
import { type ModelChoice, settingsFor } from "../../../shared/conversation/model-choice.ts";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { readGlob } from "../../../shared/safety/globs.ts";
import { spentSoFar } from "../conversation/sessions/spent-so-far.ts";
import type { Budget } from "../loop/budget.ts";
import type { AgentOptions } from "../ports/agent-options.ts";
import { type ExecutionEnvironment, ModelError } from "../ports/ports.ts";
import { askRepair, type Heard, type RepairAnswer } from "./ask-repair.ts";
import { mayRepair } from "./may-repair.ts";
import { maxWords } from "./repair-request.ts";
import { wordsOf } from "./word-forms.ts";

export interface PromptRepairsOptions {
  id: string;
  agent: AgentOptions;
  items(): readonly TranscriptItem[];
  workingFolder(): string;
  modelChoice(): ModelChoice;
  /** What the conversation has used; null: nothing in this process yet. */
  budget(): Budget | null;
  /** A request came to its end in time. @param heard what was asked about */
  apply(inputId: string, heard: Heard, answer: RepairAnswer): void;
  emit(body: AgentEventBody): void;
}

interface Pending {
  controller: AbortController;
  done: Promise<void>;
}

type Outcome = Extract<AgentEventBody, { type: "voice.repaired" }>["outcome"];

/**
 * Unclear spoken prompts that a model looks at before they are sent. They wait in the queue meanwhile, durable as they were
 * heard; nothing else waits for them.
 */
export class PromptRepairs {
  readonly #options: PromptRepairsOptions;
  readonly #pending = new Map<string, Pending>();

  constructor(options: PromptRepairsOptions) {
    this.#options = options;
  }

  isPending(inputId: string): boolean {
    return this.#pending.has(inputId);
  }

  /** Asks about a prompt, in place of what was asked about it before. */
  begin(inputId: string, heard: Heard): void {
    this.cancel(inputId);
    const { "voice.repair": choice } = this.#options.agent.settings();
    if (choice === "off" || wordsOf(heard.text).length > maxWords) return;
    const controller = new AbortController();
    const pending = { controller, done: this.#repair(inputId, heard, controller) };
    this.#pending.set(inputId, pending);
    pending.done
      .finally(() => {
        if (this.#pending.get(inputId) === pending) this.#pending.delete(inputId);
      })
      .catch(this.#options.agent.reportError);
  }

  /** Its words are others by now, or nobody waits for them: the request ends. */
  cancel(inputId: string): void {
    this.#pending.get(inputId)?.controller.abort(stopped);
    this.#pending.delete(inputId);
  }

  /** Resolves when nothing is asked about it any more. @param signal the user stops: it goes on as it was heard */
  async settled(inputId: string, signal: AbortSignal): Promise<void> {
    const onAbort = () => this.cancel(inputId);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    for (let next = this.#pending.get(inputId); next; next = this.#pending.get(inputId)) await next.done;
    signal.removeEventListener("abort", onAbort);
  }

  dispose(): void {
    for (const inputId of [...this.#pending.keys()]) this.cancel(inputId);
  }

  /** Never throws, and is over when the time is, whatever goes on behind it. */
  async #repair(inputId: string, heard: Heard, controller: AbortController): Promise<void> {
    const { agent, apply, budget, emit } = this.#options;
    const { signal } = controller;
    const began = agent.clock.now();
    const callOff = agent.clock.after(agent.settings()["voice.repairMs"], () => controller.abort(late));
    let isAsked = false;
    const onAsk = () => {
      isAsked = true;
    };
    const tell = (outcome: Outcome, answer?: RepairAnswer) => {
      const { spent, text = null } = answer ?? {};
      const words = outcome === "mended" && text !== null && { text };
      const latencyMs = agent.clock.now() - began;
      emit({ type: "voice.repaired", inputId, heard: heard.text, outcome, ...words, ...spent, latencyMs });
    };
    try {
      const answer = await Promise.race([this.#ask(heard, signal, onAsk), ended(signal)]);
      if (answer === null) return;
      budget()?.add(answer.spent.usage, answer.price);
      apply(inputId, heard, answer);
      if (answer.text === null) tell("refused", answer);
      else tell(answer.text === heard.text ? "kept" : "mended", answer);
    } catch (error) {
      if (signal.aborted) return isAsked ? tell(signal.reason === late ? "late" : "stopped") : undefined;
      if (!(error instanceof ModelError)) agent.reportError(error);
      if (isAsked) tell("failed");
    } finally {
      callOff();
    }
  }

  /** @returns null where no model may be asked @throws as `Provider.complete`, and what the user's parts throw */
  async #ask(heard: Heard, signal: AbortSignal, onAsk: () => void): Promise<RepairAnswer | null> {
    const { id, agent, items, workingFolder, modelChoice, budget } = this.#options;
    // What fails is not asked again: there is no time for it.
    const settings = Object.freeze({ ...settingsFor(agent.settings(), modelChoice()), retryMax: 0 });
    const provider = await agent.createProvider(settings);
    if (!mayRepair(settings, provider)) return null;
    if ((budget() ?? (await spentSoFar(agent, id))).isUsedUp(settings)) return null;
    const path = workingFolder();
    const folder = await this.#namedFolder(path);
    const denied = (agent.permissions.deniedPaths?.(path) ?? []).map(readGlob);
    const hides = (name: string) => denied.some((glob) => glob.fits(join(path, name).replaceAll("\\", "/")));
    signal.throwIfAborted();
    onAsk();
    return await askRepair(heard, { provider, settings, items: items(), folder, hides }, signal);
  }

  /** @returns the folder, where the user trusts all that it brings: names of files are somebody's words, too */
  async #namedFolder(path: string): Promise<ExecutionEnvironment | null> {
    const { agent } = this.#options;
    if (!(await agent.isFolderTrusted?.(path))) return null;
    const environment = await agent.openEnvironment(path);
    return environment.workingDirectory === path ? environment : null;
  }
}

const stopped = new Error("Nobody waits for this repair any more.");
const late = new Error("The repair took too long.");

/** @throws the signal's reason, when it is aborted */
const ended = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
