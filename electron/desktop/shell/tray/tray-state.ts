import type { AgentEvent, VoiceStateName } from "../../../../shared/conversation/events.ts";

/** What the tray icon shows, from what matters least to what matters most. */
export type TrayStateName = "off" | "listening" | "thinking" | "speaking" | "hearing";

/** What Parley is doing as a whole, from the events of all conversations. */
export class TrayState {
  readonly #running = new Set<string>();
  #voice: VoiceStateName = "off";
  #isMuted = false;
  #isSpeaking = false;
  /** Why voice stopped by itself, until it is on again. */
  #problem: string | null = null;

  /** @returns whether it changed anything that is shown */
  observe(event: AgentEvent): boolean {
    const before = this.#shown;
    switch (event.type) {
      case "run.started":
        this.#running.add(event.conversationId);
        break;
      case "run.ended":
        this.#running.delete(event.conversationId);
        break;
      case "speech.state":
        this.#isSpeaking = event.state === "speaking";
        break;
      case "voice.state":
        this.#voice = event.state;
        this.#isMuted = event.isMuted ?? false;
        this.#problem =
          event.state === "failed" ? (event.detail?.message ?? "The reason is not known.") : null;
        break;
    }
    return this.#shown !== before;
  }

  get isVoiceOn(): boolean {
    return this.#voice !== "off" && this.#voice !== "failed";
  }

  /** Somebody who speaks comes first, then what Parley does about it. */
  get name(): TrayStateName {
    const isHeard = this.isVoiceOn && !this.#isMuted;
    if (isHeard && (this.#voice === "hearing" || this.#voice === "transcribing")) return "hearing";
    if (this.#isSpeaking) return "speaking";
    if (this.#running.size > 0) return "thinking";
    return isHeard ? "listening" : "off";
  }

  /** For the tooltip; null where there is nothing to tell. */
  get words(): string | null {
    if (this.#problem !== null) return `Voice stopped: ${this.#problem}`;
    if (this.#isMuted && this.name === "off") return "Parley is muted";
    return words[this.name];
  }

  get #shown(): string {
    return `${this.isVoiceOn} ${this.name} ${this.words}`;
  }
}

const words: Record<TrayStateName, string | null> = {
  off: null,
  listening: "Parley is listening",
  hearing: "Parley hears you",
  thinking: "Parley is thinking",
  speaking: "Parley is speaking",
};
