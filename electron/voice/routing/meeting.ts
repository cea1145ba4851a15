import type { SaidLine } from "../../../shared/conversation/messages.ts";
import { echoWindowMs, type HeardUtterance, isEcho } from "./utterance-gate.ts";

/** Utterances that a meeting keeps until somebody asks; older ones go first. */
const maxLines = 2000;
/** How long an utterance may be compared with what the other side heard: one can be long. */
const comparedMs = 60_000;

interface Noted extends HeardUtterance {
  utteranceId: string;
  /** When it was noted, milliseconds since the epoch. */
  at: number;
}

/** What was said in a meeting since the last ask: `me` is the microphone, `them` what the computer plays. */
export class Meeting {
  #lines: Noted[] = [];
  #lately: Noted[] = [];

  /** What the computer played lately, to tell an echo in the microphone by. */
  get played(): readonly HeardUtterance[] {
    return this.#lately.filter(({ source }) => source === "loopback");
  }

  /**
   * Notes an utterance.
   * @returns what the microphone had heard of it before, and which is an echo: it stands in the meeting no more
   */
  note(utterance: HeardUtterance, utteranceId: string, at: number): Noted[] {
    const noted: Noted = { ...utterance, utteranceId, at };
    this.#lately = [...this.#lately.filter((line) => at - line.at <= comparedMs + echoWindowMs), noted];
    this.#lines = [...this.#lines.slice(1 - maxLines), noted];
    if (utterance.source !== "loopback") return [];
    const echoes = this.#lately.filter((line) => line.source !== "loopback" && isEcho(line, noted));
    this.#lines = this.#lines.filter((line) => !echoes.includes(line));
    this.#lately = this.#lately.filter((line) => !echoes.includes(line));
    return echoes;
  }

  /** What was said since the last time, in the order in which it was said. */
  take(): SaidLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines
      .toSorted((a, b) => (a.startedAt ?? a.at) - (b.startedAt ?? b.at))
      .map(({ source, text }) => ({ who: source === "loopback" ? "them" : "me", text }));
  }
}
