import type { AgentEvent, AgentEventBody } from "../../../shared/conversation/events.ts";
import {
  type Message,
  type PromptOrigin,
  type SpeechSource,
  textOf,
} from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { SpokenReply } from "../../../shared/voice/voice-snapshot.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import {
  type BargeInAction,
  type BargeInEvent,
  type BargeInState,
  shownAs,
  silent,
  stepBargeIn,
} from "./barge-in.ts";
import { isOwnVoice, type Speaking } from "./own-voice.ts";
import type { Speaker } from "./speaker.ts";
import { SpeechQueue } from "./speech-queue.ts";
import { SpeechText } from "./speech-text.ts";
import { isBackchannel, spokenCommand } from "./spoken-asides.ts";

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
const ratesOf = { slower: 0.8, faster: 1.25 } as const;

interface Run {
  conversationId: string;
  speaks: boolean;
}

/** Says replies aloud as they stream, and gives way to whoever speaks. Reads the event stream; never steers a run. */
export class SpeechOutput {
  readonly #options: SpeechOutputOptions;
  readonly #queue: SpeechQueue;
  readonly #inputs = new Map<string, { origin: PromptOrigin; source: SpeechSource | null }>();
  readonly #runs = new Map<string, Run>();
  /** Of replies that are streaming. */
  readonly #texts = new Map<string, { conversationId: string; speech: SpeechText }>();
  readonly #lastReplies = new Map<string, Message>();
  #rateFactor = 1;
  #bargeIn: BargeInState = silent;
  #waiting: AbortController | null = null;
  /** Whether voice has listened since it was started: then its end sounds, too. */
  #listening: "not_yet" | "begun" = "not_yet";
  /** Where something was said last. */
  #last: { conversationId: string; messageId: string } | null = null;

  constructor(options: SpeechOutputOptions) {
    this.#options = options;
    const { clock, speaker } = options;
    this.#queue = new SpeechQueue({
      speaker,
      now: () => clock.now(),
      voice: () => this.#voice(),
      onStarted: ({ conversationId, messageId, textAt }, at) => {
        if (this.#bargeIn.kind === "silent") this.#last = { conversationId, messageId };
        this.#step({ type: "started", firstAudioMs: Math.max(0, Math.round(at - textAt)) });
      },
      onDrained: () => this.#step({ type: "drained" }),
      onNearSpeech: () => this.#step({ type: "near_speech" }),
      onOtherVoice: ({ conversationId }, why) =>
        this.#emit(conversationId, {
          type: "voice.notice",
          message: `Parley speaks with its embedded voice: ${why}`,
        }),
      onFailed: ({ conversationId }, message) => {
        const hint = "The reply is there to read. Choose another voice with `voice.voice` if this stays.";
        this.#emit(conversationId, { type: "error", error: { code: "speech_failed", message, hint } });
      },
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
        this.#runs.set(event.conversationId, { conversationId: event.conversationId, speaks });
        if (speaks) this.#options.speaker.open();
        return;
      }
      case "text.delta":
        if (this.#runs.get(event.conversationId)?.speaks) this.#stream(event);
        return;
      case "stream.reset":
        this.#texts.delete(event.messageId);
        this.#queue.drop(event.messageId);
        return;
      case "message.added":
        this.#added(event.conversationId, event.message);
        return;
      case "run.ended":
        this.#runs.delete(event.conversationId);
        for (const [messageId, { conversationId }] of this.#texts) {
          if (conversationId === event.conversationId) this.#texts.delete(messageId);
        }
        if (event.stopReason === "interrupted" && this.#saying === event.conversationId) this.stop();
        return;
      case "voice.state":
        this.#prepare(event);
        this.#step({ ...event, type: "voice", isMuted: event.isMuted ?? false });
        return;
      case "voice.utterance":
        // The gate has spoken: what it dropped stops nothing.
        this.#step({ type: event.dropped === undefined ? "taken" : "ignored" });
        return;
      case "voice.partial":
        this.#step({ type: "partial", isSomethingToSay: this.#isSomethingToSay(event.text) });
        return;
    }
  }

  /**
   * What the microphone heard, before it may become a prompt.
   * @param durationMs null where the recogniser does not tell
   * @returns why it is no prompt; null for one
   */
  heard(text: string, source: SpeechSource, durationMs: number | null): string | null {
    if (source !== "microphone") return null;
    if (isOwnVoice({ text }, this.speaking(), "words")) return this.#ignored("own voice");
    if (this.#queue.isBusy && isBackchannel(text, durationMs)) return this.#ignored("backchannel");
    const command = spokenCommand(text);
    if (command !== null && (command === "repeat" ? this.#repeat() : this.#changeRate(ratesOf[command]))) {
      return `command: ${command}`;
    }
    this.stop();
    return null;
  }

  /** What is being said aloud and was a moment ago; null for nothing. Times are milliseconds since the epoch. */
  speaking(): Speaking | null {
    return this.#queue.spoken(echoWindowMs);
  }

  /** The reply that is being said, for whoever looks; null: none. */
  shown(): SpokenReply | null {
    const state = shownAs(this.#bargeIn);
    return state === "silent" || !this.#last ? null : { ...this.#last, state };
  }

  /** Says this Markdown now, in place of what is being said. */
  say(conversationId: string, markdown: string, messageId?: string): void {
    this.stop();
    this.#add(conversationId, messageId ?? "", sentencesOf(markdown));
  }

  /** Stops speech; what was heard of a reply that was cut is marked in its conversation. */
  stop(): void {
    this.#step({ type: "stopped" });
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
    const known = this.#texts.get(messageId);
    const speech = known?.speech ?? new SpeechText();
    if (!known) {
      this.#texts.set(messageId, { conversationId, speech });
      this.#options.speaker.open();
    }
    this.#add(conversationId, messageId, speech.feed(text));
  }

  #added(conversationId: string, message: Message): void {
    if (message.role !== "assistant" || textOf(message.content) === "") return;
    this.#lastReplies.set(conversationId, message);
    const streamed = this.#texts.get(message.id);
    this.#texts.delete(message.id);
    if (message.interrupted || !this.#runs.get(conversationId)?.speaks) return;
    this.#add(
      conversationId,
      message.id,
      streamed ? streamed.speech.flush() : sentencesOf(textOf(message.content)),
    );
  }

  #add(conversationId: string, messageId: string, sentences: readonly string[]): void {
    const textAt = this.#options.clock.now();
    for (const text of sentences) this.#queue.add({ conversationId, messageId, text, textAt });
  }

  /** Gets ready for what voice will need, and sounds when it begins and ends. */
  #prepare({ state, source }: Extract<AgentEvent, { type: "voice.state" }>): void {
    const { speaker, settings } = this.#options;
    const { "voice.speak": speaks, "voice.chime": chimes } = settings();
    if (state === "starting") {
      this.#listening = "not_yet";
      // A reply may have to be said within seconds: its process takes some of them to start.
      if (speaks !== "never") speaker.prepare();
    }
    if (state === "listening" && this.#listening === "not_yet") {
      this.#listening = "begun";
      if (chimes) speaker.chime("start");
    }
    // The output takes a while to open: it is there when the first sentence is.
    if (state === "transcribing" && speaks !== "never" && source !== "loopback") speaker.open();
    if ((state === "off" || state === "failed") && this.#listening === "begun") {
      this.#listening = "not_yet";
      if (chimes) speaker.chime("stop");
    }
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
    for (const run of this.#runs.values()) if (run.conversationId === this.#saying) run.speaks = false;
    if (!this.#queue.isBusy) return;
    for (const { messageId, conversationId, heard, missed } of this.#queue.clear()) {
      if (messageId === "" || missed === "") continue;
      this.#emit(conversationId, { type: "speech.interrupted", messageId, heard });
      this.#options.target(conversationId)?.note(interruptionNote(heard));
    }
  }

  #ignored(why: string): string {
    this.#step({ type: "ignored" });
    return why;
  }

  /** More than a listener's "mhm", and not Parley's own words come back. */
  #isSomethingToSay(partial: string): boolean {
    const words = partial.trim().split(/\s+/);
    if (words.length < 3 || isBackchannel(partial, null)) return false;
    return spokenCommand(partial) === null && !isOwnVoice({ text: partial }, this.speaking(), "words");
  }

  #repeat(): boolean {
    const conversationId = this.#saying ?? this.#last?.conversationId;
    const reply = conversationId === undefined ? undefined : this.#lastReplies.get(conversationId);
    if (conversationId === undefined || !reply) return false;
    this.say(conversationId, textOf(reply.content), reply.id);
    return true;
  }

  #changeRate(factor: number): boolean {
    // Without anything that was said, it is about something else.
    if (!this.#last) return false;
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

function sentencesOf(markdown: string): string[] {
  const text = new SpeechText();
  return [...text.feed(markdown), ...text.flush()];
}

/** What the model is told: the user does not know what they did not hear. */
function interruptionNote(heard: string): string {
  const words = heard.split(" ").slice(-heardWords).join(" ");
  const after = words === "" ? "before its first word" : `after “…${words}”`;
  return `[The reply above was being read aloud and was interrupted ${after}. The user did not hear the rest.]`;
}

/** Enough to find the place. */
const heardWords = 12;
