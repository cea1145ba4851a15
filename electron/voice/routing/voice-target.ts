import type { AgentEvent, AgentEventBody } from "../../../shared/conversation/events.ts";
import type { MeetingLine } from "../../../shared/conversation/meeting.ts";
import type { DoubtfulWord, PromptOrigin, SpeechSource } from "../../../shared/conversation/messages.ts";
import type { ConversationView } from "../../../shared/conversation/transcript.ts";

export interface VoicePrompt {
  text: string;
  origin: PromptOrigin;
  source: SpeechSource | null;
  heard?: readonly DoubtfulWord[] | undefined;
  /** What else all of it may be, likeliest first. */
  readings?: readonly string[] | undefined;
  /** The recogniser was unsure of it: a model may be asked what was said before it is sent. */
  isUnclear?: boolean | undefined;
  /** Milliseconds since the epoch: before then its speaker may go on, and nothing of its run is shown or done. */
  settlesAt?: number | undefined;
}

/** The conversation that voice belongs to, as the voice path needs it. */
export interface VoiceTarget {
  readonly id: string;
  view(): Pick<ConversationView, "state" | "queue" | "items">;
  submit(prompt: VoicePrompt): { inputId: string | null };
  /** A meeting is written down here from now on. @returns ends it, once nothing more comes @throws Error */
  beginMeeting(): () => void;
  /** What was heard in a meeting: it goes with the next prompt. @returns its id, when it is durable @throws Error */
  noteLine(said: Omit<MeetingLine, "id">): string;
  /** A line turned out to be an echo. @throws Error */
  forgetLine(lineId: string): void;
  /** Keeps a prompt outside the queue; `sendsAt` is shown. */
  hold(prompt: VoicePrompt, sendsAt?: number): { inputId: string | null };
  /** Sends a prompt under review at another time. @returns false where it is not under review */
  extendReview(inputId: string, sendsAt: number): boolean;
  /** Runs a held prompt. @throws Error when it is not held any more */
  sendInput(inputId: string): unknown;
  /** Ends the request of a prompt whose speaker goes on. @returns false where something of it was seen */
  suspend(inputId: string): boolean;
  /** Nothing came after `suspend`. */
  resume(inputId: string): void;
  /** @returns false where it is too late: the words are a prompt of their own */
  mergeInto(inputId: string, more: VoicePrompt): boolean;
  /**
   * The server has heard some words of a prompt better.
   * @param before as they were heard first @returns false where the prompt waits no more, or has other words by now
   */
  correctHeard(inputId: string, before: string, better: VoicePrompt): boolean;
  steer(words: VoicePrompt): unknown;
  /** Ends the run; what waits goes on. */
  abort(): void;
  /** The user's "stop": ends the run, and what waits is held. */
  stop(): void;
  /** @throws Error when it waits no more */
  answerQuestion(questionId: string, answer: string): void;
  /** @throws Error when it waits no more */
  answerApproval(approvalId: string, allowed: boolean, reason?: string): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: AgentEvent) => void): () => void;
  emit(body: AgentEventBody): void;
}
