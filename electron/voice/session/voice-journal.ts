import type { AgentEventBody, VoiceStateName } from "../../../shared/conversation/events.ts";
import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import type { VoiceEntry } from "../../../shared/voice/voice-snapshot.ts";
import type { Clock } from "../../agent/ports/ports.ts";

/** How many entries are kept. */
export const keptEntries = 50;

type Line = Omit<VoiceEntry, "id" | "at" | "source">;

/** What happened to voice lately, in lines for people. It is kept in memory alone. */
export class VoiceJournal {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  #entries: VoiceEntry[] = [];
  #count = 0;
  #lastState = "";

  /** @param onChange an entry was added */
  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Oldest first. */
  get entries(): VoiceEntry[] {
    return this.#entries;
  }

  /** An event as the conversation gets it; what is no news to people leaves no entry. */
  event(body: AgentEventBody, source: SpeechSource | null): void {
    const line = lineOf(body);
    if (!line) return;
    if (body.type === "voice.state") {
      // After every utterance it listens again.
      if (line.text === this.#lastState) return;
      this.#lastState = line.text;
    }
    this.add(line, source);
  }

  add(line: Line, source: SpeechSource | null): void {
    const entry: VoiceEntry = { ...line, id: ++this.#count, at: this.#clock.now(), source };
    this.#entries = [...this.#entries.slice(1 - keptEntries), entry];
    this.#onChange();
  }
}

function lineOf(body: AgentEventBody): Line | null {
  switch (body.type) {
    case "voice.utterance": {
      const { text, rule, dropped, droppedId, confidence } = body;
      return { kind: "utterance", text, rule, dropped, droppedId, confidence };
    }
    case "voice.notice":
      return { kind: "notice", text: body.message };
    case "voice.gap": {
      const { missed } = body;
      return {
        kind: "problem",
        text: `${missed} ${missed === 1 ? "event" : "events"} of the recogniser were lost`,
      };
    }
    case "voice.state": {
      const { state, isMuted, isDictating, detail } = body;
      if (detail) return { kind: "problem", text: `${detail.message} ${detail.hint ?? ""}`.trim() };
      const text = isMuted ? "Muted" : isDictating && state === "listening" ? "Dictating" : stateLines[state];
      return text === undefined ? null : { kind: "state", text };
    }
    case "error":
      return { kind: "problem", text: body.error.message };
    default:
      return null;
  }
}

/** Of the others the window shows enough while they last. */
const stateLines: Partial<Record<VoiceStateName, string>> = {
  starting: "Starting",
  listening: "Listening",
  restarting: "Starting again",
  off: "Off",
  failed: "Stopped: it failed",
};
