import type { AgentEvent } from "../../../shared/conversation/events.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { Speaker } from "./speaker.ts";

/** Gets the speaker ready for what voice will need, and sounds when listening begins and ends. */
export class SpeakerReadiness {
  readonly #speaker: Pick<Speaker, "prepare" | "open" | "chime">;
  readonly #settings: () => Settings;
  /** Whether voice has listened since it was started: then its end sounds, too. */
  #listening: "not_yet" | "begun" = "not_yet";

  constructor(speaker: Pick<Speaker, "prepare" | "open" | "chime">, settings: () => Settings) {
    this.#speaker = speaker;
    this.#settings = settings;
  }

  hear({ state, source }: Extract<AgentEvent, { type: "voice.state" }>): void {
    const { "voice.speak": speaks, "voice.chime": chimes } = this.#settings();
    if (state === "starting") {
      this.#listening = "not_yet";
      // A reply may have to be said within seconds: its process takes some of them to start.
      if (speaks !== "never") this.#speaker.prepare();
    }
    if (state === "listening" && this.#listening === "not_yet") {
      this.#listening = "begun";
      if (chimes) this.#speaker.chime("start");
    }
    // The output takes a while to open: it is there when the first sentence is.
    if (state === "transcribing" && speaks !== "never" && source !== "loopback") this.#speaker.open();
    if ((state === "off" || state === "failed") && this.#listening === "begun") {
      this.#listening = "not_yet";
      if (chimes) this.#speaker.chime("stop");
    }
  }
}
