import type { AgentEvent, AgentEventBody, UtteranceRule } from "../../../shared/conversation/events.ts";
import {
  type Message,
  type PromptOrigin,
  type SpeechSource,
  textOf,
} from "../../../shared/conversation/messages.ts";
import { endNote } from "../../../shared/conversation/transcript-items.ts";
import type { Settings } from "../../../shared/settings.ts";
import { asSpoken } from "../../../shared/voice/as-spoken.ts";
import type { ShortenedReply, SpokenReply, SpokenSentence } from "../../../shared/voice/voice-snapshot.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import {
  type BargeInAction,
  type BargeInEvent,
  type BargeInState,
  isPaused,
  shownAs,
  silent,
  stepBargeIn,
} from "./barge-in.ts";
import { failureWords } from "./failure-words.ts";
import { hasAllWords, isAfter, isOwnVoice, type Speaking } from "./own-voice.ts";
import { ReplyDigests } from "./reply-digests.ts";
import type { Speaker } from "./speaker.ts";
import { SpeakerReadiness } from "./speaker-readiness.ts";
import { type QueuedSentence, SpeechQueue } from "./speech-queue.ts";
import {
  isBackchannel,
  isGoOn,
  isHalfGoOn,
  isNoMoreThanStopWord,
  isShortBurst,
  type SaidOverReply,
  type SpokenCommand,
  spokenCommand,
} from "./spoken-asides.ts";
import { sentenceAfter, sentencesOf } from "./spoken-sentences.ts";
import { interruptionNote, shortenedNote } from "./unheard-notes.ts";
import { cannotBeSaid, isUnsayable } from "./unsayable.ts";
import { WaitingItems } from "./waiting-items.ts";

/** A conversation whose replies are said aloud. */
export interface SpeechTarget {
  emit(body: AgentEventBody): void;
  /** Words for the model, kept before the next prompt. */
  note(text: string): void;
}

export interface SpeechOutputOptions {
  speaker: Speaker;
  clock: Clock;
  settings(): Settings;
  target(conversationId: string): SpeechTarget | undefined;
  /** The computer's sound is Parley's own from now on, or no more. */
  onAudible(isAudible: boolean): void;
  /** `shown` tells something else now. */
  onShown?(): void;
}

/** The recogniser tells what it heard so much later at most, in milliseconds. */
const echoWindowMs = 4_000;
/** What was said so soon after speech paused was begun before: the clocks of sound and of words differ. Milliseconds. */
const pauseSlackMs = 300;
/** An echo, and who listens for a word to stop, are no later than this. Milliseconds. */
const ownWordMs = 1_500;
/** So long after the end of what was said another pace is still asked of it, in milliseconds. */
const paceMs = 5_000;
const ratesOf = { slower: 0.8, faster: 1.25 } as const;

interface Run {
  conversationId: string;
  speaks: boolean;
  /** The user spoke its prompt, outside of a meeting: what goes wrong with it is said, too. */
  tellsFailure: boolean;
  /** It was asked for aloud: what waits for the user is told. */
  tellsWaiting: boolean;
}

/** Such a run ended without what was asked for. */
const failedEnds: ReadonlySet<string> = new Set([
  ...["error", "refusal", "budget_exceeded", "max_turns", "loop_detected", "too_many_deletions"],
]);

/** Says replies aloud as they stream, and gives way to whoever speaks. Reads the event stream; never steers a run. */
export class SpeechOutput {
  readonly #options: SpeechOutputOptions;
  readonly #queue: SpeechQueue;
  readonly #readiness: SpeakerReadiness;
  readonly #inputs = new Map<string, { origin: PromptOrigin; source: SpeechSource | null }>();
  readonly #runs = new Map<string, Run>();
  readonly #digests: ReplyDigests;
  readonly #waitingItems: WaitingItems;
  /** How many sentences of a reply there are so far. */
  readonly #counts = new Map<string, number>();
  readonly #lastReplies = new Map<string, Message>();
  /** Where the last reply was cut off. */
  #cut: { conversationId: string; messageId: string; heard: string } | null = null;
  /** Conversations whose user was told that the voice cannot say all. */
  readonly #toldUnsayable = new Set<string>();
  #rateFactor = 1;
  #bargeIn: BargeInState = silent;
  #waiting: AbortController | null = null;
  /** When speech paused last, milliseconds since the epoch. */
  #pausedAt = 0;
  /** When a word to stop was heard last, milliseconds since the epoch. */
  #stopWordAt: number | null = null;
  /** What was said last of a run that failed. */
  #toldFailure = "";
  /** Where something was said last. */
  #last: { conversationId: string; messageId: string } | null = null;

  constructor(options: SpeechOutputOptions) {
    this.#options = options;
    const { clock, speaker } = options;
    this.#readiness = new SpeakerReadiness(speaker, options.settings);
    this.#queue = new SpeechQueue({
      speaker,
      now: () => clock.now(),
      voice: () => this.#voice(),
      onStarted: ({ conversationId, messageId, textAt }, at) => {
        if (this.#bargeIn.kind === "silent") this.#last = { conversationId, messageId };
        this.#step({ type: "started", firstAudioMs: Math.max(0, Math.round(at - textAt)) });
        options.onShown?.();
      },
      onDrained: () => {
        this.#step({ type: "drained" });
        this.#waitingItems.tell();
      },
      onNearSpeech: () => this.#step({ type: "near_speech" }),
      onOtherVoice: ({ conversationId }, why) =>
        this.#emit(conversationId, {
          type: "voice.notice",
          message: `Parley speaks with its embedded voice: ${why}`,
        }),
      onFailed: ({ conversationId }, message) => {
        const hint =
          "You can still read the reply. If this keeps happening, choose another voice with `voice.voice`.";
        this.#emit(conversationId, { type: "error", error: { code: "speech_failed", message, hint } });
      },
    });
    this.#digests = new ReplyDigests({
      settings: options.settings,
      add: (...said) => this.#add(...said),
      onShortened: () => options.onShown?.(),
    });
    this.#waitingItems = new WaitingItems({
      settings: options.settings,
      isSilent: () => !this.#queue.isBusy && this.#bargeIn.kind === "silent",
      chime: () => speaker.chime("waiting"),
      add: (conversationId, id, sentences) => this.#add(conversationId, id, sentences, "asks"),
    });
  }

  /** Every event of every conversation. */
  hear(event: AgentEvent): void {
    switch (event.type) {
      case "input.queued":
        this.#inputs.set(event.input.inputId, event.input);
        return;
      case "input.dropped":
        this.#inputs.delete(event.inputId);
        return;
      case "run.started": {
        const input = this.#inputs.get(event.inputId);
        this.#inputs.delete(event.inputId);
        const speaks = this.#isSpoken(input);
        // What nobody wanted to go on gives way to the next reply.
        if (speaks && this.#bargeIn.kind === "held") this.stop();
        const { conversationId } = event;
        this.#tellUnheard(conversationId);
        const tellsWaiting = input?.origin === "voice" && input.source !== "loopback";
        const tellsFailure = speaks && input?.origin === "voice" && !this.#waitingItems.isMeeting;
        this.#runs.set(conversationId, { conversationId, speaks, tellsFailure, tellsWaiting });
        if (speaks) {
          this.#options.speaker.open();
          this.#options.onShown?.();
        }
        return;
      }
      case "text.delta":
        if (this.#runs.get(event.conversationId)?.speaks) this.#stream(event);
        return;
      case "stream.reset":
        this.#digests.drop(event.messageId);
        this.#counts.delete(event.messageId);
        this.#queue.drop(event.messageId);
        // What is left begins anew, and would be heard.
        if (isPaused(this.#bargeIn)) this.#options.speaker.pause();
        return;
      case "message.added":
        this.#added(event.conversationId, event.message);
        return;
      case "approval.requested":
      case "question.asked":
        if (this.#runs.get(event.conversationId)?.tellsWaiting) this.#waitingItems.add(event);
        return;
      case "approval.resolved":
        this.#answered(event.approvalId);
        return;
      case "question.answered":
        this.#answered(event.questionId);
        return;
      case "run.ended":
        this.#tellFailure(event);
        this.#runs.delete(event.conversationId);
        this.#waitingItems.leave(event.conversationId);
        this.#digests.leave(event.conversationId);
        if (event.stopReason !== "interrupted") return;
        if (this.#saying !== event.conversationId) {
          this.#queue.leave(event.conversationId);
          return;
        }
        // Whoever said to stop may want to hear the rest all the same.
        if (this.#bargeIn.kind !== "held") this.stop();
        this.#waitingItems.tell();
        return;
      case "voice.state":
        this.#readiness.hear(event);
        this.#step({ ...event, type: "voice", isDeaf: event.isMuted === true || event.isWaiting === true });
        this.#waitingItems.hear(event);
        return;
      case "voice.utterance":
        // What others say is nothing to a reply, nor better words for what was said before.
        if (event.rule === "corrected" || event.rule === "too_late") return;
        if (event.rule === "stop_word" || (event.source ?? "microphone") !== "microphone") return;
        this.#step({ type: event.dropped === undefined ? "taken" : this.#dropped(event.rule) });
        return;
    }
  }

  /** What was heard, before it may become a prompt. @returns why it is no prompt; null for one */
  heard(said: SaidOverReply): string | null {
    const { text, source, durationMs, startedAt = null, isUnclear = false, isAwaited = false } = said;
    if (source !== "microphone") return null;
    if (this.#wantsToGoOn(said)) {
      this.goOn();
      return "command: go on";
    }
    const speaking = this.speaking();
    // Who answers a question often says its words.
    const isAnswer = isAwaited && speaking !== null && isAfter(said, speaking);
    const isOverSpeech = this.#isOverSpeech(startedAt);
    const command = this.#commandIn(text, isAwaited && !isOverSpeech);
    // Who was told to say "read it all" says it right after that.
    const isTold = command !== null && speaking !== null && isAfter(said, speaking, true);
    if (!isAnswer && !isTold && isOwnVoice({ text }, speaking, "words")) return this.#ignored("own voice");
    if (isOverSpeech && isBackchannel(text, durationMs, isAwaited)) return this.#ignored("backchannel");
    if (command !== null && this.#obey(command)) return `command: ${command}`;
    const isBurst = isShortBurst(text, durationMs) && (isUnclear || !isAwaited);
    if (isOverSpeech && isBurst) {
      if (this.#mayBeEcho && hasAllWords(this.speaking()?.text ?? "", text))
        return this.#ignored("own voice");
      this.#step({ type: "unclear" });
      return "unclear over speech";
    }
    if (isUnclear && this.#hasStopWord(startedAt) && isNoMoreThanStopWord(text, durationMs))
      return "unclear over speech";
    // Whoever takes the answer ends this.
    if (!isAwaited) this.stop();
    return null;
  }

  /**
   * A word to stop was heard over speech: it pauses, until what was said is known or somebody wants it to go on. What is being said
   * itself, or was a moment ago, must not have it: an echo may be taken for somebody's voice.
   */
  stopWord(phrase: string): void {
    if (this.#isOwnWord(phrase)) return;
    this.#stopWordAt = this.#options.clock.now();
    this.#step({ type: "stop_word" });
  }

  /** Somebody said something that was not understood: a reply that has paused for it stays paused, since it may have been a stop word. */
  unclear(): void {
    if (this.#isUnclearMeant) this.#step({ type: "unclear" });
  }

  /** What is paused is said from there on. */
  goOn(): void {
    this.#step({ type: "go_on" });
  }

  /** What is being said aloud and was a moment ago; null for nothing. Times are milliseconds since the epoch. */
  speaking(): Speaking | null {
    const spoken = this.#queue.spoken(echoWindowMs);
    if (!spoken || !isPaused(this.#bargeIn)) return spoken;
    // Of what is paused nothing is to be heard.
    if (this.#pausedAt < this.#options.clock.now() - echoWindowMs) return null;
    const until = Math.min(spoken.until ?? this.#pausedAt, this.#pausedAt);
    return { ...spoken, until, ...(this.#mayBeEcho && { mayBeHeard: true }) };
  }

  /** The reply that is being said, for whoever looks; null: none. */
  shown(): SpokenReply | null {
    const state = shownAs(this.#bargeIn);
    if (state === "silent" || !this.#last) return null;
    // Another conversation's reply may follow without a silence between them.
    const { conversationId, messageId } = this.#queue.current ?? this.#last;
    return { conversationId, messageId, state, sentence: this.#sentence() };
  }

  #sentence(): SpokenSentence | null {
    const current = this.#queue.current;
    if (!current || current.messageId === "" || current.line) return null;
    const { messageId, text, number } = current;
    return { messageId, text, number, count: Math.max(number, this.#counts.get(messageId) ?? 0) };
  }

  /** The last reply of which only the beginning is said, for whoever looks; null: none. */
  shortened(): ShortenedReply | null {
    return this.#digests.shortened;
  }

  /**
   * Says all of the last reply, from where it was left. @returns whether there is one
   */
  readAll(): boolean {
    const shortened = this.#digests.sayRest();
    if (shortened) {
      this.#queue.dropLines(shortened.messageId);
      this.#step({ type: "restarted" });
      this.#options.onShown?.();
      return true;
    }
    const last = this.#lastReply();
    if (!last) return false;
    if (this.#queue.isBusy) {
      this.#step({ type: "restarted" });
      return true;
    }
    const { conversationId, reply } = last;
    this.say(
      conversationId,
      textOf(reply.content),
      reply.id,
      this.#cut?.messageId === reply.id ? this.#cut.heard : "",
    );
    return true;
  }

  /**
   * Says this Markdown now, in place of what is being said; blank: nothing more of that.
   * @param heard of it already, as it was said: it begins with the sentence in which that ends
   */
  say(conversationId: string, markdown: string, messageId = "", heard = ""): void {
    this.stop();
    this.#counts.delete(messageId);
    this.#digests.forget(messageId);
    const sentences = sentencesOf(markdown);
    const first = sentenceAfter(sentences, heard);
    this.#counts.set(messageId, first);
    if (first > 0) this.#queue.beginAfter(messageId, sentences.slice(0, first).join(" "));
    this.#add(conversationId, messageId, sentences.slice(first));
    this.#waitingItems.tell();
  }

  /** Goes on with the sentence after the one that is being said. @returns whether one was */
  skipSentence(): boolean {
    if (!this.#queue.isBusy || !this.#queue.skip()) return false;
    this.#step({ type: "restarted" });
    return true;
  }

  /** The settings say another pace: what is being said goes on in it, from the beginning of the sentence. */
  changePace(): void {
    this.#rateFactor = 1;
    if (!this.#queue.isBusy) return;
    this.#queue.again();
    this.#step({ type: "restarted" });
  }

  /** Stops speech; what was heard of a reply that was cut is marked in its conversation. */
  stop(): void {
    this.#step({ type: "stopped" });
  }

  /** Somebody answers what waits in a conversation: what is being said ends, and what comes of the answer is said. */
  answering(conversationId: string): void {
    const run = this.#runs.get(conversationId);
    const speaks = run?.speaks ?? false;
    this.stop();
    if (run) run.speaks = speaks;
  }

  /** Conversations in which a run goes on whose replies are said. */
  answersAloud(): readonly string[] {
    return [...this.#runs.values()].flatMap(({ speaks, conversationId }) => (speaks ? [conversationId] : []));
  }

  /** Somebody dictates: nothing is said of what is being answered now, either. */
  silence(): void {
    for (const run of this.#runs.values()) {
      run.speaks = false;
      run.tellsWaiting = false;
    }
    this.#waitingItems.clear();
    this.stop();
    this.#options.onShown?.();
  }

  /** Somebody said to stop: what is left is kept until somebody wants it, or something else is to be said. */
  hold(): void {
    this.#step({ type: this.#bargeIn.kind === "silent" ? "stopped" : "stop_word" });
  }

  get #saying(): string | null {
    return this.#queue.current?.conversationId ?? null;
  }

  #voice() {
    const settings = this.#options.settings();
    const rate = Math.max(0.5, Math.min(2, settings["voice.rate"] * this.#rateFactor));
    const {
      "voice.voice": voice,
      "voice.speaker": speaker,
      "voice.language": language,
      "voice.volume": volume,
    } = settings;
    return { voice, speaker, language, rate, volume };
  }

  #isSpoken(input: { origin: PromptOrigin; source: SpeechSource | null } | undefined): boolean {
    const when = this.#options.settings()["voice.speak"];
    // What the computer plays is somebody else's conversation: Parley does not talk into it.
    return (
      when === "always" || (when === "spoken" && input?.origin === "voice" && input.source !== "loopback")
    );
  }

  #stream({ conversationId, messageId, text }: Extract<AgentEvent, { type: "text.delta" }>): void {
    if (!this.#digests.isStreaming(messageId)) this.#options.speaker.open();
    this.#digests.feed(conversationId, messageId, text);
  }

  #added(conversationId: string, message: Message): void {
    const run = this.#runs.get(conversationId);
    // Whoever says something into a turn hears what comes of it, though they spoke over the reply.
    if (run && message.origin === "steering" && message.source === "microphone") {
      run.speaks = this.#isSpoken({ origin: "voice", source: message.source });
      this.#options.onShown?.();
    }
    if (message.role !== "assistant" || textOf(message.content) === "") return;
    this.#lastReplies.set(conversationId, message);
    const isSaid = !message.interrupted && run?.speaks === true;
    this.#digests.end(conversationId, message, isSaid);
  }

  #add(
    conversationId: string,
    messageId: string,
    sentences: readonly string[],
    line?: QueuedSentence["line"],
  ): void {
    const textAt = this.#options.clock.now();
    // Of replies that were said nothing more is wanted, unless a rest is left.
    if (!this.#queue.isBusy) {
      const kept = [messageId, this.#digests.shortened?.messageId];
      for (const id of this.#counts.keys()) if (!kept.includes(id)) this.#counts.delete(id);
    }
    for (const text of sentences) {
      const number = (this.#counts.get(messageId) ?? 0) + (line ? 0 : 1);
      this.#counts.set(messageId, number);
      this.#queue.add({ conversationId, messageId, text, textAt, number, line });
      this.#tellUnsayable(conversationId, text);
    }
  }

  /** After what was said of the reply. Who stopped that, or typed, reads it. */
  #tellFailure({ conversationId, stopReason, error }: Extract<AgentEvent, { type: "run.ended" }>): void {
    const run = this.#runs.get(conversationId);
    if (!run?.speaks || !run.tellsFailure || !failedEnds.has(stopReason)) return;
    const message = endNote[stopReason];
    const words = error ?? (message === undefined ? undefined : { message });
    // What is stopped waits for the user, not for this.
    if (!words || this.#bargeIn.kind === "held") return;
    const text = failureWords(words);
    // Several prompts often fail in the same way at once.
    if (this.#queue.isBusy && this.#toldFailure === text) return;
    this.#toldFailure = text;
    this.#counts.delete("");
    this.#add(conversationId, "", [text]);
  }

  #tellUnsayable(conversationId: string, text: string): void {
    if (this.#toldUnsayable.has(conversationId) || !isUnsayable(text, this.#voice().voice)) return;
    this.#toldUnsayable.add(conversationId);
    this.#emit(conversationId, { type: "voice.notice", message: cannotBeSaid });
  }

  #step(event: BargeInEvent): void {
    const { state, actions } = stepBargeIn(this.#bargeIn, event);
    this.#bargeIn = state;
    for (const action of actions) this.#act(action);
  }

  #act(action: BargeInAction): void {
    const { speaker, onAudible } = this.#options;
    switch (action.type) {
      case "show":
        this.#show(action);
        break;
      case "audible":
        onAudible(action.isAudible);
        break;
      case "pause":
        this.#pausedAt = this.#options.clock.now();
        speaker.pause();
        break;
      case "resume":
        speaker.resume();
        break;
      case "drop_rest":
        this.#dropRest();
        break;
      case "wait":
        this.#wait(action.ms);
        break;
      case "stop_waiting":
        this.#waiting?.abort();
    }
  }

  #wait(ms: number): void {
    this.#waiting?.abort();
    const waiting = new AbortController();
    this.#waiting = waiting;
    this.#options.clock.sleep(ms, waiting.signal).then(
      () => this.#step({ type: "waited" }),
      () => {},
    );
  }

  #dropRest(): void {
    if (!this.#queue.isBusy) return;
    // Whoever speaks over a line that asks still wants to hear what comes of it.
    const saying = this.#queue.current?.line === "asks" ? null : this.#saying;
    const dropped = this.#queue.clear().filter(({ missed }) => missed !== "");
    const silenced = new Set([saying, ...dropped.map(({ conversationId }) => conversationId)]);
    for (const run of this.#runs.values()) if (silenced.has(run.conversationId)) run.speaks = false;
    for (const { messageId, conversationId, heard } of dropped) {
      if (messageId === "") continue;
      this.#cut = { conversationId, messageId, heard };
      this.#digests.forget(messageId);
      this.#emit(conversationId, { type: "speech.interrupted", messageId, heard });
      this.#options.target(conversationId)?.note(interruptionNote(heard));
    }
  }

  /** What the gate dropped stops nothing; what nobody understood may have been a word to stop. */
  #dropped(rule: UtteranceRule | undefined): "ignored" | "unclear" {
    return rule === "too_unsure" && this.#isUnclearMeant ? "unclear" : "ignored";
  }

  get #isUnclearMeant(): boolean {
    return isPaused(this.#bargeIn) && !this.#mayBeEcho;
  }

  /** Only the voice detector heard somebody: what is left of an echo may be taken for words, too. */
  get #mayBeEcho(): boolean {
    const state = this.#bargeIn;
    return state.kind === "waiting_for_words" && !state.isNear;
  }

  /** Whether what is being said, or was a moment ago, has one of these words, as a whole: “stopped” is not “stop”. */
  #isOwnWord(phrase: string): boolean {
    const own = new Set(asSpoken(this.#queue.spoken(ownWordMs)?.text ?? "").split(" "));
    return asSpoken(phrase)
      .split(" ")
      .some((word) => own.has(word));
  }

  /** Whether something was begun while a reply was to be heard. */
  #isOverSpeech(startedAt: number | null): boolean {
    if (!this.#queue.isBusy || this.#bargeIn.kind === "silent") return false;
    if (!isPaused(this.#bargeIn)) return true;
    return (startedAt ?? this.#options.clock.now() - echoWindowMs) <= this.#pausedAt + pauseSlackMs;
  }

  /** What was stopped a while ago can be wanted by half a word, too; over what is to be heard "no" sounds like that. */
  #wantsToGoOn({ text, durationMs, startedAt = null, readings = [] }: SaidOverReply): boolean {
    if (!isPaused(this.#bargeIn)) return false;
    if (isGoOn(text)) return true;
    if (this.#bargeIn.kind !== "held" || this.#isOverSpeech(startedAt)) return false;
    return isHalfGoOn(text) || (isShortBurst(text, durationMs) && readings.some(isGoOn));
  }

  /** Whether a word to stop holds the reply, which was heard in what was begun then. */
  #hasStopWord(startedAt: number | null): boolean {
    if (this.#bargeIn.kind !== "held" || this.#stopWordAt === null) return false;
    return (startedAt ?? this.#options.clock.now() - echoWindowMs) <= this.#stopWordAt;
  }

  /** Once a question was read, "faster" may be its answer, too; to hear that again, or what was offered before it, is none. */
  #commandIn(text: string, mayAnswer: boolean): SpokenCommand | null {
    const command = spokenCommand(text);
    const isMeant = command === "repeat" || (command === "read it all" && this.#digests.shortened !== null);
    return mayAnswer && !isMeant ? null : command;
  }

  #ignored(why: string): string {
    this.#step({ type: "ignored" });
    return why;
  }

  /** @returns whether there is anything that it could be about */
  #obey(command: SpokenCommand): boolean {
    switch (command) {
      case "repeat":
        return this.#repeat();
      case "skip":
        return this.skipSentence();
      case "read it all":
        return this.readAll();
      default:
        return this.#changeRate(ratesOf[command]);
    }
  }

  /**
   * What is being said, also of a reply that is still being written, from its beginning; else what waits, if that was said last;
   * else the last reply.
   */
  #repeat(): boolean {
    if (this.#queue.restart(sentencesOf)) {
      this.#step({ type: "restarted" });
      return true;
    }
    if (this.#last && this.#waitingItems.tellAgain(this.#last.messageId)) return true;
    const last = this.#lastReply();
    if (!last) return false;
    const { conversationId, reply } = last;
    this.stop();
    this.#counts.delete(reply.id);
    this.#digests.again(conversationId, reply);
    return true;
  }

  #lastReply(): { conversationId: string; reply: Message } | null {
    const conversationId = this.#saying ?? this.#last?.conversationId;
    const reply = conversationId === undefined ? undefined : this.#lastReplies.get(conversationId);
    return conversationId === undefined || !reply ? null : { conversationId, reply };
  }

  /** The model is told what of its last reply was not said, before the next prompt. */
  #tellUnheard(conversationId: string): void {
    const said = this.#digests.giveUpRest(conversationId);
    if (said === null) return;
    this.#options.onShown?.();
    this.#options.target(conversationId)?.note(shortenedNote(said));
  }

  #answered(id: string): void {
    this.#waitingItems.answered(id);
    this.#queue.dropLines(id);
    // What is left begins anew, and would be heard.
    if (isPaused(this.#bargeIn)) this.#options.speaker.pause();
  }

  #changeRate(factor: number): boolean {
    // Without anything that was said lately, it is about something else.
    if (!this.#queue.isBusy && this.#queue.spoken(paceMs) === null) return false;
    this.#rateFactor *= factor;
    if (this.#queue.isBusy) this.#queue.again();
    this.#step({ type: "restarted" });
    return true;
  }

  #show({ state, firstAudioMs }: Extract<BargeInAction, { type: "show" }>): void {
    if (!this.#last) return;
    const { conversationId, messageId } = this.#last;
    const body = { type: "speech.state", state, messageId } as const;
    this.#emit(conversationId, firstAudioMs === undefined ? body : { ...body, firstAudioMs });
    this.#options.onShown?.();
  }

  #emit(conversationId: string, body: AgentEventBody): void {
    this.#options.target(conversationId)?.emit(body);
  }
}
