import type { UserError, VoiceStateName } from "../../../shared/conversation/events.ts";
import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import type { StartSessionArguments, SttEvent } from "../../../shared/voice/stt.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import { type FinalUtterance, hear } from "./hearing.ts";
import { Listener } from "./listener.ts";
import type { SttClient } from "./stt-client.ts";

/** A finished utterance as an ear hands it on. */
export interface EarFinal extends FinalUtterance {
  sessionId: string;
  /** On every partial of it, too. */
  shownId: string;
  /** When its session's first sample was heard, milliseconds since the epoch; null where the server does not say. */
  audioStartedAt: number | null;
}

export interface EarEvents {
  onEvent(ear: Ear, event: SttEvent): void;
  onState(ear: Ear, why?: UserError): void;
  onOnset(ear: Ear, at: { sessionId: string; startMs: number }): void;
  onPartial(ear: Ear, utteranceId: string, text: string): void;
  onFinal(ear: Ear, final: EarFinal): void;
  /** What was being said came to nothing. */
  onNothing(ear: Ear): void;
  onGap(ear: Ear, missed: number): void;
  /** What was and will be said after this is said with the key, or without it. */
  onTalk(ear: Ear, isTalking: boolean): void;
  onNotice(ear: Ear, message: string): void;
  /** The wake phrase was heard, or is waited for again. */
  onWake(ear: Ear, isAwake: boolean): void;
  /** A line for whoever looks. */
  onAside(ear: Ear, text: string): void;
}

export interface EarOptions {
  source: SpeechSource;
  connect(): Promise<SttClient>;
  startArguments(): Partial<StartSessionArguments>;
  clock: Clock;
  events: EarEvents;
}

/** One source of the voice path and how it stands: what its server says becomes states, partials and utterances. */
export class Ear {
  readonly source: SpeechSource;
  readonly #listener: Listener;
  readonly #events: EarEvents;
  #state: VoiceStateName = "starting";
  #isMuted = false;
  #isHushed = false;
  #device: string | null = null;
  #recordingTo: string | null = null;
  #audioStartedAt: number | null = null;
  #utterances = 0;
  /** null: it was stopped, or its source has ended. */
  readonly done: Promise<UserError | null>;

  constructor({ source, connect, startArguments, clock, events }: EarOptions) {
    this.source = source;
    this.#events = events;
    this.#listener = new Listener({
      connect,
      startArguments,
      clock,
      onEvent: (event) => this.#heard(event),
      onGap: (missed) => events.onGap(this, missed),
      onOpened: (deviceName) => {
        this.#device = deviceName;
        this.#recordingTo = null;
      },
      onRunning: () => this.#enter("listening"),
      onRestart: (why) => {
        this.#audioStartedAt = null;
        events.onNothing(this);
        this.#enter("restarting", why);
      },
    });
    this.done = this.#listener.done.then((failure) => {
      events.onNothing(this);
      this.#state = failure ? "failed" : "off";
      return failure;
    });
  }

  get state(): VoiceStateName {
    return this.#state;
  }

  get isMuted(): boolean {
    return this.#isMuted;
  }

  get sessionId(): string | null {
    return this.#listener.sessionId;
  }

  /** The device that is heard, by its name. */
  get device(): string | null {
    return this.#device;
  }

  /** The file that its sound is kept in. */
  get recordingTo(): string | null {
    return this.#recordingTo;
  }

  stop(): Promise<void> {
    return this.#listener.stop();
  }

  /** Deaf for a while by Parley's own need, whatever the user's mute is; where the server cannot, it hears on. */
  hush(isHushed: boolean): void {
    this.#isHushed = isHushed;
    void this.#listener.mute(isHushed || this.#isMuted).catch(() => {});
  }

  /** Opens its source anew. */
  renew(why: UserError): void {
    this.#listener.renew(why);
  }

  /** @throws SttError where the server cannot */
  async mute(isMuted: boolean): Promise<void> {
    await this.#listener.mute(isMuted || this.#isHushed);
    this.#isMuted = isMuted;
  }

  /** The user talks by a key, or has done so. @throws SttError where the server knows nothing of it */
  talk(isTalking: boolean): Promise<void> {
    return this.#listener.talk(isTalking);
  }

  /** Other limits while it listens. @throws SttError where the server cannot */
  update(limits: Parameters<Listener["update"]>[0]): Promise<void> {
    return this.#listener.update(limits);
  }

  #heard(event: SttEvent): void {
    this.#events.onEvent(this, event);
    const heard = hear(event);
    const sessionId = this.sessionId ?? "";
    // Servers of the older kind number no utterances: what is said until the next final is one.
    const shownId = (id: string | null) => `${sessionId}/${id ?? `utterance-${this.#utterances + 1}`}`;
    switch (heard?.kind) {
      case "onset":
        this.#events.onOnset(this, { sessionId, startMs: heard.startMs });
        this.#enter("hearing");
        break;
      case "speech_end":
        this.#enter("transcribing");
        break;
      case "no_words":
        this.#events.onNothing(this);
        this.#enter("listening");
        break;
      case "partial":
        this.#events.onPartial(this, shownId(heard.utteranceId), heard.text);
        break;
      case "final": {
        const { final } = heard;
        const id = shownId(final.utteranceId);
        this.#utterances += 1;
        const audioStartedAt = this.#audioStartedAt;
        this.#events.onFinal(this, { ...final, sessionId, shownId: id, audioStartedAt });
        this.#enter("listening");
        break;
      }
      case "audio_started":
        this.#audioStartedAt = heard.at;
        break;
      case "audio_flows":
        // "Listening" is said only while there is something to listen to.
        if (heard.flows) this.#enter("listening");
        else this.#enter("restarting", stalled);
        break;
      case "talk":
        this.#events.onTalk(this, heard.isTalking);
        break;
      case "device":
        this.#device = heard.name;
        this.#enter(this.#state);
        break;
      case "recording":
        this.#recordingTo = heard.path;
        this.#enter(this.#state);
        break;
      case "wake":
        this.#events.onWake(this, heard.isAwake);
        break;
      case "aside":
        this.#events.onAside(this, heard.text);
        break;
      case "notice":
        this.#events.onNotice(this, heard.message);
        break;
    }
  }

  #enter(state: VoiceStateName, why?: UserError): void {
    this.#state = state;
    this.#events.onState(this, why);
  }
}

/** Nothing went wrong: the source is opened anew because it may have gone deaf meanwhile. */
export const hasSlept: UserError = {
  code: "slept",
  message: "The computer was asleep.",
  hint: "What Parley listens to is opened again.",
};

/** The session goes on, and so does its device: nothing was started again. */
export const stalled: UserError = {
  code: "audio_stalled",
  message: "No sound arrives from the device.",
  hint: "Parley listens again as soon as it does.",
};
