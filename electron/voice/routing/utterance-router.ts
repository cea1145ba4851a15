import type { UtteranceRule } from "../../../shared/conversation/events.ts";
import type { Settings } from "../../../shared/settings.ts";
import { asSpoken } from "../../../shared/voice/as-spoken.ts";
import { isWorded, type SpokenCommand } from "../../../shared/voice/spoken-commands.ts";
import type { ShortenedReply, SpokenReply } from "../../../shared/voice/voice-snapshot.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import type { Speaking } from "../speaking/own-voice.ts";
import { isGoOn, type SaidOverReply } from "../speaking/spoken-asides.ts";
import type { SpeechSigns, Utterance } from "../stt/voice-events.ts";
import { HeldPrompts, sendHeld } from "./held-prompts.ts";
import { isClearVoice } from "./no-speech.ts";
import { saidTimes } from "./said-times.ts";
import {
  type GateDecision,
  type GateFacts,
  gateUtterance,
  type HeardUtterance,
  type SpokenAnswer,
} from "./utterance-gate.ts";
import type { VoicePrompt, VoiceTarget } from "./voice-target.ts";

/** What became of it. */
export interface Outcome {
  rule?: UtteranceRule;
  /** Why it is no prompt. */
  dropped?: string;
  droppedId?: string;
  inputId?: string;
}

/** What Parley says aloud, as what is heard meets it. */
export interface SpokenReplies {
  /** What it says, or said last; null: nothing. */
  speaking(): Speaking | null;
  stop(): void;
  /** Somebody answers what waits in a conversation: it says no more of what it is saying, and then what comes of the answer. */
  answering(conversationId: string): void;
  /** Somebody dictates: it says nothing of what is being answered, either. */
  silence(): void;
  /** Somebody said to stop: it says nothing more until somebody wants it to go on. */
  hold(): void;
  /** The reply that is being said, for whoever looks; null: none. */
  shown(): SpokenReply | null;
  /** The last reply of which only the beginning is said; null: none. */
  shortened(): ShortenedReply | null;
  /** Conversations in which a run goes on whose replies it says. */
  answersAloud(): readonly string[];
  /** Looks at a prompt before it is one. @returns why it is none: "mhm", a word to Parley's own voice, or nobody knows what */
  heard(said: SaidOverReply): string | null;
  /** A word to stop was heard over what is said. */
  stopWord(phrase: string): void;
  /** Somebody said something that was not understood. */
  unclear(): void;
}

/** Where nothing is said aloud. */
export const noReplies: SpokenReplies = {
  speaking: () => null,
  stop: () => {},
  answering: () => {},
  silence: () => {},
  hold: () => {},
  shown: () => null,
  shortened: () => null,
  answersAloud: () => [],
  heard: () => null,
  stopWord: () => {},
  unclear: () => {},
};

/** What is said to the app itself. */
export interface SpokenCommands {
  /** @returns null: nothing, and the words are a prompt */
  of(text: string, target: VoiceTarget): SpokenCommand | null;
  run(command: SpokenCommand, target: VoiceTarget): void;
}

/** Where nothing can be said to the app. */
export const noCommands: SpokenCommands = { of: () => null, run: () => {} };

export interface UtteranceRouterOptions {
  settings(): Settings;
  clock: Clock;
  replies: SpokenReplies;
  /** What an utterance says to the approval that waits in this conversation; null: it is no answer. */
  spokenAnswer(said: HeardUtterance, conversationId: string): SpokenAnswer | null;
  commands: SpokenCommands;
}

/** What of a meeting decides: null outside of one. */
export interface MeetingFacts {
  played: readonly HeardUtterance[];
  /** Push-to-talk: what the microphone hears now is a prompt. */
  isTalking: boolean;
}

interface LastPrompt {
  said: Utterance;
  /** The silence that ended it. */
  silenceMs: number;
  target: VoiceTarget;
  inputId: string;
  isSuspended: boolean;
}

/** Why words are no prompt, as a rule. */
const asideRules: Readonly<Partial<Record<string, UtteranceRule>>> = {
  "own voice": "own_voice",
  "unclear over speech": "unclear",
};

const endsDictation: ReadonlySet<SpokenCommand["name"]> = new Set([
  "stop_dictating",
  "send_dictation",
  "stop_listening",
]);

/** A prompt that was taken back, or is under review, waits so long for its speaker, who goes on speaking, in milliseconds. */
const longestUtteranceMs = 60_000;

/** How many utterances are known that a server may hear better. */
const maxFates = 50;

/** How many dropped utterances can be sent after all. */
const maxDropped = 50;

/** An answer becomes known so long after it was said; where that is longer, the clock is another one. Milliseconds. */
const maxLateAnswerMs = 5000;
/** A recogniser may put the beginning of words so much too early, in milliseconds. */
const answerSlackMs = 300;

/** Does with an utterance what the gate says, and remembers what later ones need to know. */
export class UtteranceRouter {
  readonly #options: UtteranceRouterOptions;
  readonly #held: HeldPrompts;
  readonly #dropped = new Map<string, { target: VoiceTarget; prompt: VoicePrompt }>();
  #droppedCount = 0;
  /** What became of the utterances before, by their ids: a server may hear one better. */
  readonly #fates = new Map<string, Outcome & { target: VoiceTarget }>();
  /** The last spoken prompt: the next utterance may go on with it. */
  #last: LastPrompt | null = null;
  /** Ends the wait for a speaker who began, and of whom no more was heard. */
  #endWait = () => {};

  constructor(options: UtteranceRouterOptions) {
    this.#options = options;
    this.#held = new HeldPrompts(() => options.settings()["voice.queueMax"]);
  }

  /** Somebody begins to speak: where the last prompt may go on, and nothing of it was seen, its request ends. */
  onset(at: { sessionId: string; startMs: number }): void {
    const last = this.#last;
    if (!last || !this.#goesOn(at)) return;
    last.isSuspended = last.target.suspend(last.inputId) || this.#extendReview(last, longestUtteranceMs);
    this.#endWait();
    this.#endWait = this.#options.clock.after(longestUtteranceMs, () => this.resume());
  }

  /** What was begun did not become words, or will not any more. */
  resume(): void {
    const last = this.#last;
    if (!last?.isSuspended) return;
    last.isSuspended = false;
    last.target.resume(last.inputId);
    this.#extendReview(last, this.#options.settings()["voice.reviewMs"]);
  }

  /** A word to stop was heard over a reply, by who listens for nothing else. */
  stopWord(phrase: string): void {
    this.#options.replies.stopWord(phrase);
  }

  /** No words were recognised in a sound: if it is clearly a voice, it may have said a stop word. */
  noWords(signs: SpeechSigns): void {
    if (isClearVoice(signs)) this.#options.replies.unclear();
  }

  /** Whether words that were said for the text box are meant for the app instead: they end that. */
  endsDictation({ text }: Pick<Utterance, "text">, target: VoiceTarget): boolean {
    const command = this.#options.commands.of(text, target);
    return command !== null && endsDictation.has(command.name);
  }

  /** Words that were typed into the text box: who says them listens to no reply. */
  dictated({ id }: Pick<Utterance, "id">, target: VoiceTarget): void {
    this.#options.replies.silence();
    this.#keepFate(id, { target });
  }

  take(said: Utterance, target: VoiceTarget, meeting: MeetingFacts | null): Outcome {
    const outcome = this.#late(said, target) ?? this.#taken(said, target, meeting);
    if (outcome.rule !== "corrected") this.#keepFate(said.id, { ...outcome, target });
    return outcome;
  }

  #keepFate(id: string, fate: Outcome & { target: VoiceTarget }): void {
    this.#fates.delete(id);
    this.#fates.set(id, fate);
    const [oldest] = this.#fates.keys();
    if (this.#fates.size > maxFates && oldest !== undefined) this.#fates.delete(oldest);
  }

  /** Better words for an utterance that became something already. @returns null: it is one like any other */
  #late(said: Utterance, target: VoiceTarget): Outcome | null {
    const before = this.#fates.get(said.id);
    if (said.corrects === undefined || !before) return null;
    // What was dropped for its words may be a prompt, or another command, with better ones.
    const isDone =
      before.rule === "too_late" ||
      (before.rule === "command" && this.#isSameCommand(said.corrects, said.text, target));
    if (before.dropped !== undefined && !isDone) return null;
    if (!said.isSaidOver) this.resume();
    const prompt = this.#promptOf(said);
    const { inputId } = before;
    if (inputId !== undefined && before.target.correctHeard(inputId, said.corrects, prompt))
      return { rule: "corrected" };
    const dropped = "better words, but too late";
    return {
      ...{ rule: "too_late", dropped, droppedId: this.#keepDropped(target, prompt) },
      ...(inputId !== undefined && { inputId }),
    };
  }

  #isSameCommand(words: string, better: string, target: VoiceTarget): boolean {
    const [before, now] = [words, better].map((text) => this.#options.commands.of(text, target));
    return before !== null && JSON.stringify(before) === JSON.stringify(now);
  }

  /** What names sounds alone is no prompt, nor what Whisper writes for silence; but others may say that in a meeting. */
  #wordless({ noWords }: Utterance, meeting: MeetingFacts | null): Pick<Outcome, "rule" | "dropped"> | null {
    if (noWords === "sounds") return { rule: "no_words", dropped: "no words" };
    return noWords === "phantom" && meeting === null
      ? { rule: "phantom", dropped: "recognisers write this for silence" }
      : null;
  }

  #promptOf(said: Utterance): VoicePrompt {
    return {
      text: said.text,
      origin: "voice",
      source: said.source,
      ...(said.doubts.length > 0 && { heard: said.doubts }),
      ...(said.readings.length > 0 && { readings: said.readings }),
      ...(isUnclear(said) && { isUnclear: true }),
      settlesAt: settlesAt(said, this.#options.settings(), this.#options.clock.now()),
    };
  }

  #taken(said: Utterance, target: VoiceTarget, meeting: MeetingFacts | null): Outcome {
    const prompt = this.#promptOf(said);
    const wordless = this.#wordless(said, meeting);
    if (wordless) {
      this.resume();
      return { ...wordless, droppedId: this.#keepDropped(target, prompt) };
    }
    const facts = this.#facts(target, meeting, said);
    const decision = gateUtterance(said, facts);
    const isForReply = decision.kind === "note" && this.#isForReply(said);
    // One of the answers that are offered is meant, whatever is being said.
    const isAwaited = decision.kind === "answer" && !isAnswer(said.text, questionOf(target)?.options ?? []);
    if (decision.kind === "prompt" || isForReply || isAwaited) {
      const more = { durationMs: durationOf(said), isUnclear: isUnclear(said), isAwaited };
      const why = this.#options.replies.heard({ ...said, ...more });
      if (why !== null) {
        this.resume();
        const rule = why.startsWith("command: ") ? "command" : (asideRules[why] ?? "aside");
        return { rule, dropped: why, droppedId: this.#keepDropped(target, prompt) };
      }
      if (decision.kind === "prompt" && this.#merged(said, target, prompt)) {
        return { rule: "merged", ...(this.#last && { inputId: this.#last.inputId }) };
      }
    }
    this.resume();
    try {
      return this.#act(decision, said, target, prompt);
    } catch (error) {
      // Answered by hand in this moment: then it is a prompt like any other.
      if (decision.kind !== "answer" && decision.kind !== "approve") throw error;
      return this.#submit(said, target, prompt);
    }
  }

  /** @throws Error when it is not remembered any more */
  sendAnyway(droppedId: string): void {
    const dropped = this.#dropped.get(droppedId);
    if (!dropped) throw new Error("These words are no longer available, or have been sent already.");
    dropped.target.submit(dropped.prompt);
    this.#dropped.delete(droppedId);
  }

  /** In a meeting: words for a reply that waits for them, and for nobody else. */
  #isForReply({ source, text }: Utterance): boolean {
    const reply = this.#options.replies.shown();
    return source === "microphone" && reply !== null && reply.state !== "speaking" && isGoOn(text);
  }

  #act(decision: GateDecision, said: Utterance, target: VoiceTarget, prompt: VoicePrompt): Outcome {
    switch (decision.kind) {
      case "drop":
        return { rule: decision.rule, dropped: decision.why, droppedId: this.#keepDropped(target, prompt) };
      case "stop":
        this.#options.replies.hold();
        target.stop();
        return { rule: "stop_word" };
      case "answer":
        this.#options.replies.answering(target.id);
        target.answerQuestion(decision.questionId, said.text);
        return { rule: "answer" };
      case "approve":
        this.#options.replies.answering(target.id);
        for (const approvalId of decision.approvalIds) {
          target.answerApproval(approvalId, decision.allowed, decision.allowed ? undefined : said.text);
        }
        return { rule: "approval" };
      case "command":
        this.#options.commands.run(decision.command, target);
        return {
          rule: "command",
          dropped: `command: ${decision.command.name.replaceAll("_", " ")}`,
          droppedId: this.#keepDropped(target, prompt),
        };
      case "note":
        return { rule: "noted" };
      case "prompt":
        return this.#send(decision.how, said, target, prompt);
    }
  }

  #send(
    how: Extract<GateDecision, { kind: "prompt" }>["how"],
    said: Utterance,
    target: VoiceTarget,
    prompt: VoicePrompt,
  ): Outcome {
    switch (how) {
      case "queue":
        return this.#submit(said, target, prompt);
      case "steer":
        target.steer(prompt);
        return { rule: "steered" };
      case "interrupt":
        this.#options.replies.stop();
        target.abort();
        return { ...this.#submit(said, target, prompt), rule: "interrupted" };
      case "hold": {
        const inputId = this.#held.add(target, prompt);
        return { rule: "held", ...(inputId !== null && { inputId }) };
      }
      case "review":
        return { ...this.#review(said, target, prompt), rule: "review" };
    }
  }

  #submit(said: Utterance, target: VoiceTarget, prompt: VoicePrompt): Outcome {
    return this.#remember(said, target, target.submit(prompt).inputId);
  }

  /** Sent after a while, unless its words are changed or it is dropped or sent by hand. */
  #review(said: Utterance, target: VoiceTarget, prompt: VoicePrompt): Outcome {
    const sendsAt = this.#options.clock.now() + this.#options.settings()["voice.reviewMs"];
    const { inputId } = target.hold(prompt, sendsAt);
    if (inputId !== null) this.#sendAt(target, inputId, sendsAt);
    return this.#remember(said, target, inputId);
  }

  /** Unless its review was extended or has ended by then. */
  #sendAt(target: VoiceTarget, inputId: string, sendsAt: number): void {
    const { clock } = this.#options;
    clock
      .sleep(sendsAt - clock.now())
      .then(() => {
        const held = target.view().queue.find((input) => input.inputId === inputId);
        if (held?.isHeld && held.sendsAt === sendsAt) sendHeld(target, inputId);
      })
      .catch(console.error);
  }

  /** @returns false where the prompt is not under review */
  #extendReview({ target, inputId }: Pick<LastPrompt, "target" | "inputId">, ms: number): boolean {
    const sendsAt = this.#options.clock.now() + ms;
    if (!target.extendReview(inputId, sendsAt)) return false;
    this.#sendAt(target, inputId, sendsAt);
    return true;
  }

  #remember(said: Utterance, target: VoiceTarget, inputId: string | null): Outcome {
    if (inputId === null) return {};
    const silenceMs = silenceMsOf(said, this.#options.settings());
    this.#last = { said, silenceMs, target, inputId, isSuspended: false };
    return { inputId };
  }

  #merged(said: Utterance, target: VoiceTarget, prompt: VoicePrompt): boolean {
    const last = this.#last;
    if (!last || last.target !== target || last.said.source !== said.source) return false;
    if (said.startMs === null || !this.#goesOn({ sessionId: said.sessionId, startMs: said.startMs }))
      return false;
    if (!target.mergeInto(last.inputId, prompt)) return false;
    this.#extendReview(last, this.#options.settings()["voice.reviewMs"]);
    const silenceMs = silenceMsOf(said, this.#options.settings());
    this.#last = { ...last, said, silenceMs, isSuspended: false };
    return true;
  }

  /** By the sample clock alone: when events arrive says nothing of when the words were spoken. */
  #goesOn({ sessionId, startMs }: { sessionId: string; startMs: number }): boolean {
    const windowMs = this.#options.settings()["voice.mergeWindowMs"];
    if (!this.#last || windowMs === 0) return false;
    const { said: last, silenceMs } = this.#last;
    if (last.endMs === null || last.sessionId !== sessionId) return false;
    return startMs >= last.endMs && startMs - last.endMs <= silenceMs + windowMs;
  }

  /** Who began to speak before something was asked meant something else. */
  #isBegunAfter(said: Utterance, asked: { at: number }): boolean {
    const times = saidTimes(said, this.#options.clock.now(), maxLateAnswerMs);
    return times === null || times.startedAt >= asked.at - answerSlackMs;
  }

  /** Words that go on with a prompt, or are one of the answers that are offered, command nothing. */
  #command(
    said: Utterance,
    target: VoiceTarget,
    question: { options: readonly { label: string }[] } | undefined,
  ) {
    const { sessionId, startMs } = said;
    if (startMs !== null && this.#goesOn({ sessionId, startMs })) return null;
    if (isAnswer(said.text, question?.options ?? [])) return null;
    const command = this.#options.commands.of(said.text, target) ?? this.#unsureCommand(said, target);
    // It may do what cannot be undone by another word.
    return command?.name === "press" && isUnclear(said) ? null : command;
  }

  /**
   * Where the recogniser was not sure: the command that another of its readings is as a whole, with as many words as the first
   * one, such as "stopped listening". The user's own words in one are not guessed at.
   */
  #unsureCommand({ text, readings }: Utterance, target: VoiceTarget) {
    const length = (words: string) => words.trim().split(/\s+/).length;
    const wanted = readings
      .filter((reading) => length(reading) === length(text))
      .map((reading) => this.#options.commands.of(reading, target));
    return wanted.find((command) => command !== null && !isWorded(command)) ?? null;
  }

  /** For a while. @returns what `sendAnyway` takes */
  #keepDropped(target: VoiceTarget, prompt: VoicePrompt): string {
    const droppedId = `dropped-${++this.#droppedCount}`;
    this.#dropped.set(droppedId, { target, prompt });
    for (const id of this.#dropped.keys()) {
      if (this.#dropped.size > maxDropped) this.#dropped.delete(id);
    }
    return droppedId;
  }

  #facts(target: VoiceTarget, meeting: MeetingFacts | null, said: Utterance): GateFacts {
    const { settings, replies, spokenAnswer } = this.#options;
    const { state, queue, items } = target.view();
    const asked = questionOf(target);
    const question = asked && this.#isBegunAfter(said, asked) ? asked : undefined;
    const approvals = items
      .filter((item) => item.kind === "approval")
      .filter(({ status }) => status === "waiting");
    const answer = spokenAnswer(said, target.id);
    const isTooSoon = (id: string) =>
      approvals.some((approval) => approval.key === id && !this.#isBegunAfter(said, approval));
    return {
      settings: settings(),
      speaking: replies.speaking(),
      played: meeting?.played ?? [],
      isMeeting: meeting !== null && !(meeting.isTalking && said.source === "microphone"),
      questionId: question?.key ?? null,
      isOffered: question !== undefined && isAnswer(said.text, question.options),
      isApprovalWaiting: approvals.length > 0,
      spokenAnswer: answer?.allowed && answer.approvalIds.some(isTooSoon) ? null : answer,
      command: this.#command(said, target, question),
      isRunning: state === "processing" || state === "awaiting_input",
      waiting: queue.filter(({ isHeld }) => !isHeld).length,
      held: this.#held.count(target),
    };
  }
}

/** What waits for an answer in words. A form is filled in by hand: no word that was heard may answer a server. */
const questionOf = (target: VoiceTarget) =>
  target
    .view()
    .items.filter((item) => item.kind === "question")
    .find((item) => item.status === "waiting" && item.form === undefined);

const isAnswer = (text: string, options: readonly { label: string }[]): boolean =>
  options.some(({ label }) => asSpoken(label) === asSpoken(text));

/** An utterance below this confidence is unclear, and so is one with a word below `doubtConfidence`; 0–1. */
export const unclearConfidence = 0.75;

/** What the computer plays is nobody's to mend. */
const isUnclear = ({ source, confidence, doubts }: Utterance) =>
  source !== "loopback" && (doubts.length > 0 || (confidence !== null && confidence < unclearConfidence));

const durationOf = ({ startMs, endMs }: Utterance) =>
  startMs === null || endMs === null ? null : endMs - startMs;

/** The silence that ended an utterance, by the rule that did. */
function silenceMsOf({ reason, turnEnd }: Utterance, settings: Settings): number {
  if (reason === "utterance_end") return settings["voice.utteranceEndMs"];
  if (reason !== "endpoint") return 0;
  return turnEnd === "unlikely" ? settings["voice.utteranceEndMs"] : settings["voice.endpointingMs"];
}

/** What ends an utterance though its speaker may go on. */
const openReasons: ReadonlySet<string> = new Set(["endpoint", "utterance_end", "max_length", "unknown"]);

/** When nobody can go on with it any more, milliseconds since the epoch; undefined: its speaker has finished. */
function settlesAt(said: Utterance, settings: Settings, now: number): number | undefined {
  const windowMs = settings["voice.mergeWindowMs"];
  if (windowMs === 0 || said.endedAt === null || said.turnEnd === "likely") return undefined;
  if (!openReasons.has(said.reason)) return undefined;
  // A server's clock may be ahead of ours.
  return Math.min(said.endedAt, now) + silenceMsOf(said, settings) + windowMs;
}
