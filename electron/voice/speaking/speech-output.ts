import type { AgentEvent, AgentEventBody } from "../../../shared/conversation/events.ts";
import {
  type Message,
  type PromptOrigin,
  type SpeechSource,
  textOf,
} from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import { isBackchannel, isOwnVoice, spokenCommand } from "./barge-in.ts";
import type { Speaker } from "./speaker.ts";
import { SpeechQueue } from "./speech-queue.ts";
import { SpeechText } from "./speech-text.ts";

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
}

/** A speech start is told when about so much of it was heard, in milliseconds. */
const onsetMs = 130;
/** Somebody speaks for so long before speech pauses: a click or a cough is shorter. Milliseconds. */
export const bargeInMs = 200;
/** What is loud and no speech to the recogniser within so many milliseconds was none. */
export const confirmMs = 1_500;
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
  #pausing: AbortController | null = null;
  #isPaused = false;
  /** A microphone listens, and nobody was heard to speak yet. */
  #canBeInterrupted = false;
  #isAudible = false;
  /** Since it was started, voice has listened. */
  #hasBegun = false;
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
        if (this.#isAudible) return;
        this.#setAudible(true);
        const firstAudioMs = Math.max(0, Math.round(at - textAt));
        this.#emit(conversationId, { type: "speech.state", state: "speaking", messageId, firstAudioMs });
        this.#last = { conversationId, messageId };
      },
      onDrained: () => this.#silent(),
      onNearSpeech: () => this.#nearSpeech(),
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
        this.#listening(event);
        return;
      case "voice.utterance":
        this.#uttered(event);
        return;
      case "voice.partial":
        if (this.#isPaused && this.#isSomethingToSay(event.text)) this.stop();
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
    const spoken = this.speaking();
    if (spoken && isOwnVoice(text, spoken.text)) return this.#goOn("own voice");
    if (this.#queue.isBusy && isBackchannel(text, durationMs)) return this.#goOn("backchannel");
    const command = spokenCommand(text);
    if (command !== null && (command === "repeat" ? this.#repeat() : this.#changeRate(ratesOf[command]))) {
      return `command: ${command}`;
    }
    this.stop();
    return null;
  }

  /** What is being said aloud and was a moment ago; null for nothing. Times are milliseconds since the epoch. */
  speaking(): { text: string; since: number; until: number | null } | null {
    return this.#queue.spoken(echoWindowMs);
  }

  /** Says this Markdown now, in place of what is being said. */
  say(conversationId: string, markdown: string, messageId?: string): void {
    this.stop();
    this.#add(conversationId, messageId ?? "", sentencesOf(markdown));
  }

  /** Stops speech; what was heard of a reply that was cut is marked in its conversation. */
  stop(): void {
    this.#pausing?.abort();
    for (const run of this.#runs.values()) if (run.conversationId === this.#saying) run.speaks = false;
    const wasBusy = this.#queue.isBusy;
    if (!wasBusy) return;
    for (const { messageId, conversationId, heard, missed } of this.#queue.clear()) {
      if (messageId === "" || missed === "") continue;
      this.#emit(conversationId, { type: "speech.interrupted", messageId, heard });
      this.#options.target(conversationId)?.note(interruptionNote(heard));
    }
    this.#isPaused = false;
    this.#silent();
  }

  get #saying(): string | null {
    return this.#queue.current?.conversationId ?? null;
  }

  #voice() {
    const settings = this.#options.settings();
    const rate = Math.max(0.5, Math.min(2, settings["voice.rate"] * this.#rateFactor));
    return { voice: settings["voice.voice"], rate, volume: settings["voice.volume"] };
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

  #listening({ state, source, isMuted }: Extract<AgentEvent, { type: "voice.state" }>): void {
    this.#canBeInterrupted =
      state === "listening" && (source === "microphone" || source === "both") && !isMuted;
    const settings = this.#options.settings();
    if (state === "starting") {
      this.#hasBegun = false;
      // A reply may have to be said within seconds: its process takes some of them to start.
      if (settings["voice.speak"] !== "never") this.#options.speaker.prepare();
    }
    if (state === "listening" && !this.#hasBegun) {
      this.#hasBegun = true;
      if (settings["voice.chime"]) this.#options.speaker.chime("start");
    }
    if (
      state === "hearing" &&
      source !== "loopback" &&
      source !== "file" &&
      this.#isAudible &&
      !this.#isPaused
    )
      this.#pauseSoon();
    // What was loud is speech: its words decide.
    if (state === "hearing" && this.#isPaused) this.#pausing?.abort();
    if (state === "transcribing") {
      this.#pausing?.abort();
      // The output takes a while to open: it is there when the first sentence is.
      if (settings["voice.speak"] !== "never" && source !== "loopback") this.#options.speaker.open();
    }
    if ((state === "off" || state === "failed") && this.#hasBegun) {
      this.#hasBegun = false;
      if (settings["voice.chime"]) this.#options.speaker.chime("stop");
    }
    // Whatever it was, no words came of it.
    if (state === "listening" || state === "off" || state === "failed") {
      this.#pausing?.abort();
      this.#resume();
    }
  }

  /** The gate has spoken: what it dropped stops nothing. */
  #uttered({ dropped }: Extract<AgentEvent, { type: "voice.utterance" }>): void {
    if (dropped !== undefined) this.#goOn(dropped);
    else if (this.#isPaused) this.stop();
  }

  /** Pauses before it is known to be speech, and goes on where the recogniser hears none in time. */
  #nearSpeech(): void {
    if (!this.#canBeInterrupted || this.#isPaused) return;
    this.#pausing?.abort();
    const pausing = new AbortController();
    this.#pausing = pausing;
    this.#pause();
    this.#options.clock.sleep(confirmMs, pausing.signal).then(
      () => this.#resume(),
      () => {},
    );
  }

  #pauseSoon(): void {
    this.#pausing?.abort();
    const pausing = new AbortController();
    this.#pausing = pausing;
    this.#options.clock.sleep(bargeInMs - onsetMs, pausing.signal).then(
      () => this.#pause(),
      () => {},
    );
  }

  #pause(): void {
    if (this.#isPaused || !this.#queue.isBusy) return;
    this.#isPaused = true;
    this.#options.speaker.pause();
    this.#show("paused");
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#options.speaker.resume();
    this.#show("speaking");
  }

  #goOn(why: string): string {
    this.#pausing?.abort();
    this.#resume();
    return why;
  }

  /** More than a listener's "mhm", and not Parley's own words come back. */
  #isSomethingToSay(partial: string): boolean {
    const spoken = this.speaking();
    const words = partial.trim().split(/\s+/);
    if (words.length < 3 || isBackchannel(partial, null)) return false;
    return spokenCommand(partial) === null && !(spoken && isOwnVoice(partial, spoken.text));
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
    this.#pausing?.abort();
    this.#isPaused = false;
    if (this.#queue.isBusy) this.#queue.again();
    return true;
  }

  #silent(): void {
    if (!this.#isAudible) return;
    this.#setAudible(false);
    this.#isPaused = false;
    this.#show("silent");
  }

  #setAudible(isAudible: boolean): void {
    this.#isAudible = isAudible;
    this.#options.onAudible(isAudible);
  }

  #show(state: "speaking" | "paused" | "silent"): void {
    if (!this.#last) return;
    const { conversationId, messageId } = this.#last;
    this.#emit(conversationId, { type: "speech.state", state, messageId });
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
