import { echoWindowMs, type HeardUtterance, isEcho } from "./utterance-gate.ts";
import type { VoiceTarget } from "./voice-target.ts";

/** How long an utterance may be compared with what the other side heard: one can be long. */
const comparedMs = 60_000;

/** An utterance that was noted, and where: it may have to go out again. */
export interface NotedUtterance extends HeardUtterance {
  utteranceId: string;
  lineId: string;
  target: Pick<VoiceTarget, "forgetLine">;
  /** When it was noted, milliseconds since the epoch. */
  at: number;
}

/** What was said lately in a meeting, to tell an echo by; the conversation keeps its lines. */
export class Meeting {
  #lately: NotedUtterance[] = [];

  /** What the computer played lately, to tell an echo in the microphone by. */
  get played(): readonly HeardUtterance[] {
    return this.#lately.filter(({ source }) => source === "loopback");
  }

  /** @returns what the microphone had heard of it before, and which is an echo: it stands in the meeting no more */
  add(noted: NotedUtterance): NotedUtterance[] {
    const { at } = noted;
    this.#lately = [...this.#lately.filter((line) => at - line.at <= comparedMs + echoWindowMs), noted];
    if (noted.source !== "loopback") return [];
    const { played } = this;
    const echoes = this.#lately.filter((line) => line.source !== "loopback" && isEcho(line, played));
    this.#lately = this.#lately.filter((line) => !echoes.includes(line));
    return echoes;
  }
}
