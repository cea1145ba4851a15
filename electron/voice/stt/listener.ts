import type { UserError } from "../../../shared/conversation/events.ts";
import type { StartSessionArguments, SttEvent, UpdateSessionArguments } from "../../../shared/voice/stt.ts";
import { sttInfo } from "../../../shared/voice/stt.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import { connectionLost, describeFailure, mayRestart } from "../session/voice-errors.ts";
import { pollSession } from "./poller.ts";
import { type SttClient, SttError } from "./stt-client.ts";

/** Restarts in a row without a finished utterance between them; then the listener fails and says why. */
export const maxRestarts = 5;
/** Doubles with every restart in a row. */
export const restartBaseMs = 500;
/** How long stopping may take before the last words are given up. */
export const stopTimeoutMs = 10_000;

export interface ListenerEvents {
  onEvent(event: SttEvent): void;
  onGap(missed: number): void;
  /** The server has opened the source: `deviceName` as it says. */
  onOpened(deviceName: string | null): void;
  /** Sound arrives. */
  onRunning(): void;
  /** The session failed and another one is being started. */
  onRestart(why: UserError): void;
}

export interface ListenerOptions extends ListenerEvents {
  connect(): Promise<SttClient>;
  /** Asked before each session. */
  startArguments(): Partial<StartSessionArguments>;
  clock: Clock;
}

/** One source, heard over session after session of the speech server until it is stopped or fails for good. */
export class Listener {
  readonly #options: ListenerOptions;
  /** Ends polls and pauses at once. */
  readonly #abort = new AbortController();
  #client: SttClient | null = null;
  #sessionId: string | null = null;
  #isStopping = false;
  /** Since the last session began: one that heard something is not in a row with failures before it. */
  #hasHeard = false;
  #hasRun = false;
  #isMuted = false;
  #isTalking = false;
  /** Why another session is wanted though this one is well. */
  #renewal: UserError | null = null;
  /** null: it was stopped, or its source has ended. */
  readonly done: Promise<UserError | null>;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.done = this.#live();
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** What was being said becomes a last utterance. Resolves when everything was read, or after `stopTimeoutMs`. */
  async stop(): Promise<void> {
    if (!this.#isStopping) {
      this.#isStopping = true;
      void this.#askToStop();
    }
    await this.done;
  }

  /** Holds over restarts. @throws SttError where the server cannot */
  async mute(isMuted: boolean): Promise<void> {
    this.#isMuted = isMuted;
    if (!this.#client || !this.#sessionId) return;
    await this.#client.updateSession({ session_id: this.#sessionId, muted: isMuted });
  }

  /** Holds over restarts. @throws SttError where the server knows nothing of it */
  async talk(isTalking: boolean): Promise<void> {
    this.#isTalking = isTalking;
    if (!this.#client || !this.#sessionId) return;
    if (!this.#client.canTalk) {
      throw new SttError("refused", "This speech server knows no push-to-talk: it hears all the time.");
    }
    await this.#client.updateSession({ session_id: this.#sessionId, talking: isTalking });
  }

  /** Other limits while it listens; the next session asks for its own. @throws SttError where the server cannot */
  async update(limits: Omit<UpdateSessionArguments, "session_id">): Promise<void> {
    if (!this.#client || !this.#sessionId) return;
    await this.#client.updateSession({ session_id: this.#sessionId, ...limits });
  }

  /**
   * Begins anew with another session: what was being said is an utterance. For when a device may have gone deaf without
   * a word, such as while the computer slept.
   */
  renew(why: UserError): void {
    if (this.#isStopping || !this.#client || !this.#sessionId) return;
    this.#renewal = why;
    // A failure here shows in the poll, too.
    this.#client.stopSession(this.#sessionId).catch(() => {});
  }

  async #askToStop(): Promise<void> {
    const over = this.#abort;
    const giveUp = this.#options.clock.sleep(stopTimeoutMs, over.signal).then(
      () => over.abort(),
      () => {},
    );
    if (this.#client && this.#sessionId) {
      // A failure here shows in the poll, too, which then ends.
      await this.#client.stopSession(this.#sessionId).catch(() => over.abort());
    } else {
      over.abort();
    }
    await giveUp;
  }

  async #live(): Promise<UserError | null> {
    // What is told during the constructor would reach an owner that does not have this listener yet.
    await Promise.resolve();
    let failure: UserError | null = null;
    let restarts = 0;
    let isWaking = false;
    while (!this.#isStopping) {
      this.#hasHeard = false;
      this.#hasRun = false;
      failure = await this.#listen();
      if (this.#isStopping) break;
      if (this.#renewal) {
        this.#options.onRestart(this.#renewal);
        this.#renewal = null;
        restarts = 0;
        isWaking = true;
        continue;
      }
      if (failure === null) break;
      isWaking &&= !this.#hasRun;
      restarts = this.#hasHeard ? 1 : restarts + 1;
      // A computer that wakes up finds its devices one after the other.
      if (!(mayRestart(failure) || isWaking) || restarts > maxRestarts) break;
      this.#options.onRestart(failure);
      const pause = restartBaseMs * 2 ** (restarts - 1);
      await this.#options.clock.sleep(pause, this.#abort.signal).catch(() => {});
    }
    this.#abort.abort();
    return this.#isStopping ? null : failure;
  }

  /** One session of the server. @returns why it ended, null when it was meant to */
  async #listen(): Promise<UserError | null> {
    let fatal: UserError | null = null;
    let hasEnded = false;
    const { connect, startArguments, clock, onEvent, onGap, onRunning } = this.#options;
    try {
      const client = await connect();
      this.#client = client;
      if (this.#isStopping) return null;
      const asked = { muted: this.#isMuted, talking: this.#isTalking };
      const flags = { ...(asked.muted && { muted: true }), ...(asked.talking && { talking: true }) };
      const opened = await client.startSession({ ...startArguments(), ...flags });
      const sessionId = opened.session_id;
      this.#sessionId = sessionId;
      // Changed while it was being opened.
      if (this.#isMuted !== asked.muted) await this.mute(this.#isMuted);
      if (this.#isTalking !== asked.talking) await this.talk(this.#isTalking).catch(() => {});
      this.#options.onOpened(opened.mic_device_name);
      if (this.#isStopping) await client.stopSession(sessionId);
      const status = await pollSession({
        client,
        sessionId,
        clock,
        signal: this.#abort.signal,
        events: {
          onEvent: (event) => {
            if (event.type === "error" && event.fatal) fatal = describeFailure(event);
            else if (event.type === "info" && event.message === sttInfo.sourceEnded) hasEnded = true;
            else if (event.type === "utterance_final") this.#hasHeard = true;
            onEvent(event);
          },
          onGap,
          onStatus: (name) => {
            if (name !== "running") return;
            this.#hasRun = true;
            onRunning();
          },
        },
      });
      // Also of one that ended by itself: a server may hold a device until it is told.
      if (!this.#isStopping) await client.stopSession(sessionId).catch(() => {});
      if (this.#isStopping || hasEnded) return null;
      return fatal ?? connectionLost(`The speech session ended by itself (${status}).`);
    } catch (error) {
      const hadStarted = this.#sessionId !== null;
      await this.#leave(error);
      if (this.#abort.signal.aborted) return null;
      const failure = describeFailure(error);
      // A start that is refused stays refused; a poll may do better in a new session.
      return fatal ?? (hadStarted ? { ...failure, code: "poll_failed" } : failure);
    } finally {
      this.#sessionId = null;
    }
  }

  /** A session that we no longer read must not keep a microphone open. */
  async #leave(why: unknown): Promise<void> {
    if (!this.#client || !this.#sessionId || this.#isStopping) return;
    if (why instanceof SttError && why.kind === "closed") return;
    await this.#client.stopSession(this.#sessionId).catch(() => {});
  }
}
