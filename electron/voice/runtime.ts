import type { UserError, VoiceStateName } from "../../shared/events.ts";
import type { SpeechSource } from "../../shared/messages.ts";
import type { Settings } from "../../shared/settings.ts";
import { type StartSessionArguments, type SttEvent, sttInfo } from "../../shared/stt.ts";
import type { Clock } from "../agent/ports.ts";
import { hear, type Intercept, type VoiceTarget } from "./hearing.ts";
import { pollSession } from "./poller.ts";
import { type SttClient, SttError } from "./stt-client.ts";
import { connectionLost, describeFailure, mayRestart } from "./voice-errors.ts";

/** Restarts in a row without a finished utterance between them; then voice fails and says why. */
export const maxRestarts = 5;
/** Doubles with every restart in a row. */
export const restartBaseMs = 500;
/** How long stopping may take before the last words are given up. */
export const stopTimeoutMs = 10_000;

export interface VoiceStart {
  source: SpeechSource;
  path?: string | undefined;
  pace?: StartSessionArguments["pace"] | undefined;
}

export interface VoiceStatus {
  state: VoiceStateName;
  source: SpeechSource | null;
  conversationId: string | null;
  sessionId: string | null;
  utterances: number;
  prompts: number;
  restarts: number;
  lastText: string | null;
  lastError: UserError | null;
}

export interface VoiceRuntimeOptions {
  /** A client of the speech server, started when it does not run. Called again after it died. */
  connect(): Promise<SttClient>;
  settings(): Settings;
  clock: Clock;
  /** Looks at what was heard before it may become a prompt. */
  intercept?: Intercept;
  /** Called when listening begins and whenever somebody starts to speak: a prompt may come soon. */
  onSpeech?(): void;
  /** Told of every change, for what is outside the conversation: the tray, other windows. */
  onChange?(status: VoiceStatus): void;
}

/** One voice session of the app, from start to stop, kept alive over failures of the speech server. */
interface Session {
  start: VoiceStart;
  target: VoiceTarget;
  sessionId: string | null;
  client: SttClient | null;
  /** When its first sample arrived, milliseconds since the epoch. */
  audioStartedAt: number | null;
  /** Set when the user wants it to end; a second wish changes nothing. */
  stopping: boolean;
  /** Ends polls and pauses at once. */
  abort: AbortController;
  done: Promise<void>;
}

/** Turns finished utterances into prompts: start, poll, submit, restart, stop with flush and drain. */
export class VoiceRuntime {
  readonly #options: VoiceRuntimeOptions;
  #session: Session | null = null;
  #status: VoiceStatus = offStatus;
  #mutesLoopback = false;

  constructor(options: VoiceRuntimeOptions) {
    this.#options = options;
  }

  status(): VoiceStatus {
    return this.#status;
  }

  /** Starts listening for `target`. @throws Error when voice is on already */
  start(target: VoiceTarget, start: VoiceStart): void {
    if (this.#session) {
      throw new Error(`Voice is on already (${this.#session.start.source}). \`/voice stop\` ends it.`);
    }
    const session: Session = {
      start,
      target,
      sessionId: null,
      client: null,
      audioStartedAt: null,
      stopping: false,
      abort: new AbortController(),
      done: Promise.resolve(),
    };
    this.#session = session;
    this.#status = { ...offStatus, source: start.source, conversationId: target.id };
    this.#enter(session, "starting");
    session.done = this.#live(session).finally(() => {
      this.#session = null;
    });
  }

  /**
   * Ends the session: what was being said becomes a last prompt. Resolves when everything was read, or after
   * `stopTimeoutMs`. Without a session it does nothing.
   */
  async stop(): Promise<void> {
    const session = this.#session;
    if (!session) return;
    if (!session.stopping) {
      session.stopping = true;
      this.#enter(session, "stopping");
      void this.#askToStop(session);
    }
    await session.done;
  }

  /** Carries a running session over to another conversation, whose prompts come from here on. */
  moveTo(target: VoiceTarget): void {
    const session = this.#session;
    if (!session || session.target.id === target.id) return;
    session.target.emit({ type: "voice.state", state: "off", source: null });
    session.target = target;
    this.#status = { ...this.#status, conversationId: target.id };
    this.#enter(session, this.#status.state);
  }

  /** While Parley speaks, what the computer plays is Parley: it is not listened to. */
  muteLoopback(isMuted: boolean): void {
    this.#mutesLoopback = isMuted;
    const session = this.#session;
    if (session?.client && session.sessionId) void this.#applyMute(session.client, session);
  }

  async #applyMute(client: SttClient, { start, sessionId }: Session): Promise<void> {
    if (start.source !== "loopback" || sessionId === null) return;
    // A session that just ended needs no muting; any other failure shows in the poll.
    await client.updateSession({ session_id: sessionId, muted: this.#mutesLoopback }).catch(() => {});
  }

  async #askToStop(session: Session): Promise<void> {
    const giveUp = this.#options.clock.sleep(stopTimeoutMs, session.abort.signal).then(
      () => session.abort.abort(),
      () => {},
    );
    if (session.client && session.sessionId) {
      // A failure here shows in the poll, too, which then ends.
      await session.client.stopSession(session.sessionId).catch(() => session.abort.abort());
    } else {
      session.abort.abort();
    }
    await giveUp;
  }

  async #live(session: Session): Promise<void> {
    let failure: UserError | null = null;
    let restarts = 0;
    while (!session.stopping) {
      const prompts = this.#status.utterances;
      failure = await this.#listen(session);
      if (failure === null || session.stopping) break;
      restarts = this.#status.utterances > prompts ? 1 : restarts + 1;
      if (!mayRestart(failure) || restarts > maxRestarts) break;
      this.#status = { ...this.#status, restarts: this.#status.restarts + 1, lastError: failure };
      this.#enter(session, "restarting", failure);
      const pause = restartBaseMs * 2 ** (restarts - 1);
      await this.#options.clock.sleep(pause, session.abort.signal).catch(() => {});
    }
    session.abort.abort();
    if (failure && !session.stopping) {
      this.#status = { ...this.#status, lastError: failure };
      this.#enter(session, "failed", failure);
    } else {
      this.#enter(session, "off");
    }
  }

  /** One session of the server. @returns why it ended, null when it was meant to */
  async #listen(session: Session): Promise<UserError | null> {
    let fatal: UserError | null = null;
    let ended = false;
    try {
      const client = await this.#options.connect();
      session.client = client;
      if (session.stopping) return null;
      const started = await client.startSession(this.#arguments(session.start));
      session.sessionId = started.session_id;
      this.#status = { ...this.#status, sessionId: started.session_id };
      if (session.stopping) await client.stopSession(started.session_id);
      if (this.#mutesLoopback) await this.#applyMute(client, session);
      const status = await pollSession({
        client,
        sessionId: started.session_id,
        clock: this.#options.clock,
        signal: session.abort.signal,
        events: {
          onEvent: (event) => {
            if (event.type === "error" && event.fatal) fatal = describeFailure(event);
            else if (event.type === "info" && event.message === sttInfo.sourceEnded) ended = true;
            this.#heard(session, event);
          },
          onGap: (missed) => session.target.emit({ type: "voice.gap", missed }),
          onStatus: (name) => {
            if (name !== "running") return;
            this.#enter(session, "listening");
            this.#options.onSpeech?.();
          },
        },
      });
      if (session.stopping || ended) return null;
      return fatal ?? connectionLost(`The speech session ended by itself (${status}).`);
    } catch (error) {
      if (session.abort.signal.aborted) return null;
      const hadStarted = session.sessionId !== null;
      await this.#leave(session, error);
      const failure = describeFailure(error);
      // A start that is refused stays refused; a poll may do better in a new session.
      return fatal ?? (hadStarted ? { ...failure, code: "poll_failed" } : failure);
    } finally {
      session.sessionId = null;
      session.audioStartedAt = null;
    }
  }

  /** A session that we no longer read must not keep a microphone open. */
  async #leave(session: Session, why: unknown): Promise<void> {
    if (!session.client || !session.sessionId) return;
    if (why instanceof SttError && why.kind === "closed") return;
    await session.client.stopSession(session.sessionId).catch(() => {});
  }

  #arguments(start: VoiceStart): Partial<StartSessionArguments> {
    const settings = this.#options.settings();
    return {
      ...start,
      language: settings["voice.language"],
      endpointing_ms: settings["voice.endpointingMs"],
      utterance_end_ms: settings["voice.utteranceEndMs"],
      max_utterance_ms: settings["voice.maxUtteranceMs"],
    };
  }

  #heard(session: Session, event: SttEvent): void {
    const { target, start, audioStartedAt } = session;
    const { utterances, prompts } = this.#status;
    const settings = this.#options.settings();
    const { intercept } = this.#options;
    const heard = hear(event, {
      target,
      source: start.source,
      audioStartedAt,
      utterances,
      settings,
      intercept,
    });
    if (heard.audioStartedAt !== undefined) session.audioStartedAt = heard.audioStartedAt;
    if (heard.utterance) {
      const { text, wasSent } = heard.utterance;
      const sent = prompts + (wasSent ? 1 : 0);
      this.#status = { ...this.#status, utterances: utterances + 1, prompts: sent, lastText: text };
    }
    if (heard.state === "hearing") this.#options.onSpeech?.();
    if (heard.state) this.#enter(session, heard.state);
  }

  /** Says a new state, once. While stopping, only the end is news. */
  #enter(session: Session, state: VoiceStateName, detail?: UserError): void {
    const over = state === "off" || state === "failed";
    if (session.stopping && !over && state !== "stopping") return;
    const source = over ? null : session.start.source;
    this.#status = { ...this.#status, state, source };
    if (over) this.#status = { ...this.#status, conversationId: null, sessionId: null };
    session.target.emit({ type: "voice.state", state, source, ...(detail ? { detail } : {}) });
    this.#options.onChange?.(this.#status);
  }
}

const offStatus: VoiceStatus = {
  state: "off",
  source: null,
  conversationId: null,
  sessionId: null,
  utterances: 0,
  prompts: 0,
  restarts: 0,
  lastText: null,
  lastError: null,
};
