import type { VoicePrompt, VoiceTarget } from "../../../electron/voice/routing/voice-target.ts";
import type { AgentEvent, AgentEventBody } from "../../../shared/conversation/events.ts";
import type { MeetingLine } from "../../../shared/conversation/meeting.ts";
import { applyEvent, type ConversationView, emptyView } from "../../../shared/conversation/transcript.ts";

/**
 * A conversation as voice sees it, whose runs a test begins and ends itself. Its view is the real projection of its
 * events, so what voice reads there is what the app would show.
 */
export class FakeVoiceTarget implements VoiceTarget {
  readonly id: string;
  readonly events: AgentEvent[] = [];
  /** What reached the conversation, in order: `submit: text`, `abort`, `answer q1: text`, … */
  readonly calls: string[] = [];
  /** Prompts whose text stands in the conversation, in order of their submission. */
  readonly prompts: (VoicePrompt & { inputId: string })[] = [];
  /** Prompts of which something was seen already. */
  readonly seen = new Set<string>();
  /** Off: events and calls are told and forgotten. */
  keepsEvents = true;
  /** When its events happen, milliseconds since the epoch. */
  now = 0;
  /** What was noted in a meeting. */
  lines: MeetingLine[] = [];
  meeting: "none" | "going" | "over" = "none";
  #noted = 0;
  #view: ConversationView;
  #listeners = new Set<(event: AgentEvent) => void>();
  #inputs = 0;

  constructor(id = "c1") {
    this.id = id;
    this.#view = emptyView(id, "Test");
  }

  view(): ConversationView {
    return this.#view;
  }

  get texts(): string[] {
    return this.prompts.map(({ text }) => text);
  }

  submit(prompt: VoicePrompt): { inputId: string } {
    const inputId = this.#add(prompt);
    this.calls.push(`submit: ${prompt.text}`);
    this.#queued(inputId, prompt);
    return { inputId };
  }

  beginMeeting(): () => void {
    this.meeting = "going";
    return () => {
      this.meeting = "over";
    };
  }

  noteLine(said: Parameters<VoiceTarget["noteLine"]>[0]): string {
    this.lines.push({ id: `line-${++this.#noted}`, ...said });
    return `line-${this.#noted}`;
  }

  forgetLine(lineId: string): void {
    this.lines = this.lines.filter(({ id }) => id !== lineId);
  }

  hold(prompt: VoicePrompt, sendsAt?: number): { inputId: string } {
    const inputId = this.#add(prompt);
    this.calls.push(`hold: ${prompt.text}`);
    this.#queued(inputId, prompt, { isHeld: true, ...(sendsAt !== undefined && { sendsAt }) });
    return { inputId };
  }

  extendReview(inputId: string, sendsAt: number): boolean {
    const held = this.#view.queue.find((input) => input.inputId === inputId && input.isHeld);
    if (held?.sendsAt === undefined) return false;
    this.#queued(inputId, held, { isHeld: true, sendsAt });
    return true;
  }

  sendInput(inputId: string): void {
    const held = this.#view.queue.find((input) => input.inputId === inputId && input.isHeld);
    if (!held) throw new Error("not held");
    this.calls.push(`send: ${held.text}`);
    this.#queued(inputId, held);
  }

  suspend(inputId: string): boolean {
    const isHeld = this.#view.queue.some((input) => input.inputId === inputId && input.isHeld);
    if (this.seen.has(inputId) || isHeld) return false;
    this.calls.push(`take back: ${inputId}`);
    return true;
  }

  resume(inputId: string): void {
    this.calls.push(`let go: ${inputId}`);
  }

  mergeInto(inputId: string, more: VoicePrompt): boolean {
    const prompt = this.prompts.find((one) => one.inputId === inputId);
    if (!prompt || this.seen.has(inputId)) return false;
    this.calls.push(`merge: ${more.text}`);
    prompt.text = `${prompt.text} ${more.text}`;
    const waiting = this.#view.queue.find((input) => input.inputId === inputId);
    if (waiting) this.emit({ type: "input.queued", input: { ...waiting, text: prompt.text } });
    return true;
  }

  correctHeard(inputId: string, before: string, better: VoicePrompt): boolean {
    const waiting = this.#view.queue.find((input) => input.inputId === inputId);
    const prompt = this.prompts.find((one) => one.inputId === inputId);
    if (!waiting?.text.includes(before) || !prompt) return false;
    this.calls.push(`correct: ${before} > ${better.text}`);
    prompt.text = prompt.text.replace(before, better.text);
    this.emit({ type: "input.queued", input: { ...waiting, text: prompt.text } });
    return true;
  }

  steer({ text }: VoicePrompt): void {
    this.calls.push(`steer: ${text}`);
  }

  stop(): void {
    this.calls.push("stop");
  }

  abort(): void {
    this.calls.push("abort");
  }

  answerQuestion(questionId: string, answer: string): void {
    this.calls.push(`answer ${questionId}: ${answer}`);
    this.emit({ type: "question.answered", questionId, answer });
  }

  answerApproval(approvalId: string, allowed: boolean): void {
    this.calls.push(`${allowed ? "allow" : "deny"} ${approvalId}`);
    this.emit({ type: "approval.resolved", approvalId, allowed });
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(body: AgentEventBody): void {
    const event: AgentEvent = {
      ...body,
      id: this.#view.lastEventId + 1,
      conversationId: this.id,
      at: this.now,
    };
    this.#view = applyEvent(this.#view, event);
    if (this.keepsEvents) this.events.push(event);
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** The run of a prompt begins. */
  begin(inputId: string): void {
    this.emit({ type: "state.changed", state: "processing" });
    this.emit({ type: "run.started", runId: `run-${inputId}`, inputId });
  }

  /** The run that goes on ends. */
  end(): void {
    this.emit({ type: "run.ended", runId: "run", stopReason: "end_turn" });
    this.emit({ type: "state.changed", state: "idle" });
  }

  ofType<T extends AgentEvent["type"]>(type: T): Extract<AgentEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
  }

  #add(prompt: VoicePrompt): string {
    const inputId = `i${++this.#inputs}`;
    this.prompts.push({ ...prompt, inputId });
    return inputId;
  }

  #queued(inputId: string, prompt: VoicePrompt, held: { isHeld?: boolean; sendsAt?: number } = {}): void {
    const { text, origin, source } = prompt;
    this.emit({ type: "input.queued", input: { inputId, text, origin, source, ...held } });
  }
}
