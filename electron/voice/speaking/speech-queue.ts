import { numbersInWords } from "../../../shared/voice/said/numbers.ts";
import { saidAs } from "../../../shared/voice/said/said-as.ts";
import { isEmbedded, type PlaybackEvent } from "../../../shared/voice/speech.ts";
import type { Speaking } from "./own-voice.ts";
import type { Speaker, SpeechPart } from "./speaker.ts";

/** A sentence on its way to the ear. */
export interface QueuedSentence {
  /** As it is written. */
  text: string;
  messageId: string;
  conversationId: string;
  /** When its text was complete, milliseconds since the epoch. */
  textAt: number;
  /** Which of its reply it is, from 1 on. */
  number: number;
  /** Parley's own line and no part of the reply; `asks`: it names the words that are waited for. */
  line?: "tells" | "asks" | undefined;
}

interface Entry extends QueuedSentence {
  id: number;
  /** What the voice got of it. */
  said: string;
  state: "waiting" | "asked" | "audible" | "over";
  /** How much of it was heard, 0–1. */
  heard: number;
  startedAt: number | null;
  endedAt: number | null;
}

/** Sentences that are made ahead of the one that is heard. */
const ahead = 2;

/** Sentences that are over and still known, for what was heard of a reply. */
const maxRemembered = 50;

export interface SpeechQueueOptions {
  speaker: Speaker;
  now(): number;
  voice(): Pick<SpeechPart, "voice" | "speaker" | "language" | "rate"> & { volume: number };
  onStarted(sentence: QueuedSentence, at: number): void;
  /** Nothing waits any more. */
  onDrained(): void;
  onFailed(sentence: QueuedSentence, message: string): void;
  /** Somebody may be speaking over it. */
  onNearSpeech(): void;
  /** Another voice speaks than the one that was asked for. */
  onOtherVoice(sentence: QueuedSentence, why: string): void;
}

/** The sentences of a turn: makes the next while one is heard, and knows to the word what was heard. */
export class SpeechQueue {
  readonly #options: SpeechQueueOptions;
  #entries: Entry[] = [];
  /** By message: what was heard of it, or left out, before the entries that there are. */
  readonly #before = new Map<string, string>();
  #turn = 0;
  #lastId = 0;

  constructor(options: SpeechQueueOptions) {
    this.#options = options;
    options.speaker.onEvent((event) => this.#heard(event));
  }

  get isBusy(): boolean {
    return this.#entries.some(({ state }) => state !== "over");
  }

  get current(): QueuedSentence | null {
    return this.#entries.find(({ state }) => state !== "over") ?? null;
  }

  add(sentence: QueuedSentence): void {
    if (this.#turn === 0) this.#begin([]);
    if (!this.isBusy) this.#isBefore(this.#entries.splice(0, this.#entries.length - maxRemembered));
    for (const id of this.#before.keys()) {
      const isKnown = id === sentence.messageId || this.#entries.some(({ messageId }) => messageId === id);
      if (!isKnown) this.#before.delete(id);
    }
    this.#entries.push({ ...sentence, ...fresh, id: ++this.#lastId });
    this.#ask();
  }

  /** What of a message was heard before: it goes on after that. */
  beginAfter(messageId: string, heard: string): void {
    this.#before.set(messageId, heard);
  }

  /** Says what is not over yet anew, such as at another rate: the sentence that is heard begins again. */
  again(): void {
    this.#begin(this.#entries.filter(({ state }) => state !== "over"));
    this.#ask();
  }

  /**
   * Says the message that is being said anew from its first sentence; what comes after it follows.
   * @param sentencesOf what was heard of it, in sentences
   * @returns whether one is being said
   */
  restart(sentencesOf: (text: string) => string[]): boolean {
    const { current } = this;
    if (!current || current.messageId === "") return false;
    const { messageId } = current;
    const before = sentencesOf(this.#before.get(messageId) ?? "").map((text, place) => ({
      ...{ ...current, text, number: place + 1, line: undefined, ...fresh, id: ++this.#lastId },
    }));
    const rest = this.#entries.filter((entry) => entry.messageId === messageId || entry.state !== "over");
    this.#begin([...before, ...rest]);
    this.#before.delete(messageId);
    this.#ask();
    return true;
  }

  /** Leaves out the rest of the sentence that is heard. @returns whether there was one */
  skip(): boolean {
    const [current, ...rest] = this.#entries.filter(({ state }) => state !== "over");
    if (!current) return false;
    this.#begin(rest);
    this.#ask();
    if (!this.isBusy) this.#options.onDrained();
    return true;
  }

  /** @returns what of each message was heard and what was not, by message, in order */
  clear(): { messageId: string; conversationId: string; heard: string; missed: string }[] {
    const messages = new Map<string, { conversationId: string; heard: string[]; missed: string[] }>();
    for (const entry of this.#entries) {
      const { messageId, conversationId } = entry;
      const before = this.#before.get(messageId) ?? "";
      const parts = messages.get(messageId) ?? {
        ...{ conversationId, heard: before === "" ? [] : [before], missed: [] },
      };
      messages.set(messageId, parts);
      if (entry.line) continue;
      const [heard, missed] = cutAt(entry.text, entry.state === "over" ? 1 : entry.heard);
      if (heard !== "") parts.heard.push(heard);
      if (missed !== "") parts.missed.push(missed);
    }
    this.#begin([]);
    this.#before.clear();
    return [...messages].map(([messageId, { conversationId, heard, missed }]) => ({
      messageId,
      conversationId,
      heard: heard.join(" "),
      missed: missed.join(" "),
    }));
  }

  /** Leaves out Parley's own lines about a message, also the one that is heard. */
  dropLines(messageId: string): void {
    const isDropped = (entry: Entry) =>
      entry.line !== undefined && entry.messageId === messageId && entry.state !== "over";
    const dropped = this.#entries.filter(isDropped);
    if (dropped.length === 0) return;
    if (dropped.every(({ state }) => state === "waiting")) {
      this.#entries = this.#entries.filter((entry) => !isDropped(entry));
      return;
    }
    this.#begin(this.#entries.filter((entry) => entry.state !== "over" && !isDropped(entry)));
    this.#ask();
    if (!this.isBusy) this.#options.onDrained();
  }

  /** Drops what of a message is not audible yet. */
  drop(messageId: string): void {
    const wasBusy = this.isBusy;
    const kept = this.#entries.filter(
      (entry) => entry.messageId !== messageId || entry.state === "audible" || entry.state === "over",
    );
    // What was asked for comes all the same: it is played unless the turn changes.
    const isAsked = this.#entries.some((entry) => entry.messageId === messageId && entry.state === "asked");
    if (isAsked) {
      const rest = kept.filter(({ state }) => state !== "over");
      this.#begin(rest);
      this.#ask();
    } else this.#entries = kept;
    this.#before.delete(messageId);
    if (wasBusy && !this.isBusy) this.#options.onDrained();
  }

  /** Drops what of a conversation's replies is not audible yet. */
  leave(conversationId: string): void {
    const of = this.#entries.filter((entry) => entry.conversationId === conversationId);
    for (const messageId of new Set(of.map((entry) => entry.messageId))) this.drop(messageId);
  }

  /**
   * What is being said, and was within the last `windowMs`; null for nothing. Milliseconds since the epoch.
   * `text`: as it is said, all in words, and then as it is written, which is how many recognisers write what they hear.
   */
  spoken(windowMs: number): Speaking | null {
    const from = this.#options.now() - windowMs;
    const recent = this.#entries.filter(
      ({ startedAt, endedAt }) => startedAt !== null && (endedAt === null || endedAt >= from),
    );
    const [first] = recent;
    if (first?.startedAt == null) return null;
    const inBoth = (entries: readonly Entry[]) => {
      const joined = (of: "said" | "text") => entries.map((entry) => entry[of]).join(" ");
      return [...new Set([numbersInWords(joined("said")), joined("text")])].join("\n");
    };
    const asked = recent.filter(({ line }) => line === "asks");
    return {
      text: inBoth(recent),
      ...(asked.length > 0 && { asks: inBoth(asked) }),
      since: first.startedAt,
      until: recent.at(-1)?.endedAt ?? null,
    };
  }

  #begin(kept: Entry[]): void {
    this.#turn += 1;
    this.#isBefore(this.#entries.filter((entry) => !kept.some(({ id }) => id === entry.id)));
    // What was said a moment ago may still be heard by the microphone.
    const over = this.#entries
      .filter(({ startedAt }) => startedAt !== null)
      .slice(-3)
      .map((entry) => ({ ...entry, state: "over" as const, endedAt: entry.endedAt ?? this.#options.now() }))
      .filter((entry) => !kept.some(({ id }) => id === entry.id));
    const again = kept.map((entry) => ({ ...entry, ...fresh, id: ++this.#lastId }));
    this.#entries = [...over.map((entry) => ({ ...entry, messageId: "" })), ...again];
    this.#options.speaker.begin(this.#turn);
  }

  #isBefore(entries: readonly Entry[]): void {
    for (const { messageId, text, line } of entries) {
      if (messageId === "" || line) continue;
      const before = this.#before.get(messageId);
      this.#before.set(messageId, before === undefined ? text : `${before} ${text}`);
    }
  }

  #ask(): void {
    const { speaker, voice } = this.#options;
    let open = this.#entries.filter(({ state }) => state === "asked").length;
    for (const entry of this.#entries) {
      if (open >= ahead) return;
      if (entry.state !== "waiting") continue;
      const { volume, ...how } = voice();
      speaker.setVolume(volume);
      entry.said = saidBy(how, entry.text);
      speaker.say({ turn: this.#turn, id: entry.id, text: entry.said, ...how });
      entry.state = "asked";
      open += 1;
    }
  }

  #heard(event: PlaybackEvent): void {
    if (event.type === "near_speech") {
      if (event.turn === this.#turn) this.#options.onNearSpeech();
      return;
    }
    const entry = this.#entries.find(({ id }) => id === event.id);
    if (!entry || event.turn !== this.#turn || entry.state === "over") return;
    if (event.type === "other_voice") {
      this.#options.onOtherVoice(entry, event.message);
      return;
    }
    if (event.type === "position") {
      entry.heard = event.totalMs > 0 ? Math.min(1, event.playedMs / event.totalMs) : 0;
      return;
    }
    if (event.type === "started") {
      entry.state = "audible";
      entry.startedAt = event.at;
      this.#options.onStarted(entry, event.at);
    } else {
      entry.state = "over";
      entry.endedAt = this.#options.now();
      if (event.type === "failed") this.#options.onFailed(entry, event.message);
      else entry.heard = 1;
    }
    this.#ask();
    if (!this.isBusy) this.#options.onDrained();
  }
}

const fresh = { said: "", state: "waiting", heard: 0, startedAt: null, endedAt: null } as const;

/** The embedded voices read everything as English, and know its letters alone. */
function saidBy({ voice, language }: Pick<SpeechPart, "voice" | "language">, text: string): string {
  const isLatinOnly = isEmbedded(voice);
  return saidAs(text, isLatinOnly ? "en" : language, { isLatinOnly });
}

/** The words before and after a share of the text. */
function cutAt(text: string, share: number): [string, string] {
  if (share >= 1) return [text, ""];
  const space = text.lastIndexOf(" ", Math.floor(text.length * share));
  const cut = share <= 0 || space < 0 ? 0 : space;
  return [text.slice(0, cut).trim(), text.slice(cut).trim()];
}
