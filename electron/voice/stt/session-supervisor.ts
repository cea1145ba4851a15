import type { UserError } from "../../../shared/conversation/events.ts";
import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import type { StartSessionArguments, SttEvent, UpdateSessionArguments } from "../../../shared/voice/stt.ts";
import { sttInfo } from "../../../shared/voice/stt.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import { connectionLost, describeFailure, mayRestart } from "../session/voice-errors.ts";
import { HeardFinals } from "./heard-finals.ts";
import { isOver, pollSession } from "./poller.ts";
import { type SttClient, SttError } from "./stt-client.ts";
import { isSttError } from "./stt-errors.ts";
import { audioStart, type HeardIn, meaningOf, type VoiceEvent } from "./voice-events.ts";

/** Restarts in a row without a finished utterance between them; then it fails and says why. */
export const maxRestarts = 5;
/** Doubles with every restart in a row. */
export const restartBaseMs = 500;
/** So long after the last sign of them the last words are waited for when it is stopped, in milliseconds. */
export const stopTimeoutMs = 10_000;
/** How often that is, at most: a busy computer is behind with what it heard, and a server may go on for ever. */
export const maxStopWaits = 6;

export interface SupervisorOptions {
  source: SpeechSource;
  connect(): Promise<SttClient>;
  /** Asked before each session. */
  startArguments(): Partial<StartSessionArguments>;
  clock: Clock;
}

/** What is wanted of the source. */
type Wish = { kind: "listen" } | { kind: "renew"; why: UserError } | { kind: "stop" };

/** A session of the server. */
interface OpenSession {
  client: SttClient;
  sessionId: string;
  /** null where the server does not say. */
  deviceName: string | null;
  isFile: boolean;
  /** The server was asked to stop it: each session once. */
  stopping: Promise<void> | null;
  /** It has answered that, or cannot be asked. */
  hasStopped: boolean;
  /** Ends its polls. */
  over: AbortController;
}

/** How one session of the server went. */
interface SessionEnd {
  /** null when it was meant to end. */
  failure: UserError | null;
  /** One that heard something is not in a row with failures before it. */
  hasHeard: boolean;
  hasRun: boolean;
  isFile: boolean;
}

/**
 * One source of the voice path, as one stream of events over session after session of the speech server, until it is stopped
 * or fails for good. Read it once.
 */
export class SessionSupervisor implements AsyncIterable<VoiceEvent> {
  readonly source: SpeechSource;
  readonly #options: SupervisorOptions;
  /** Utterances are counted over all sessions. */
  #heardIn: HeardIn;
  /** Ends polls and pauses at once. */
  readonly #abort = new AbortController();
  /** The session that listens. */
  #open: OpenSession | null = null;
  #wish: Wish = { kind: "listen" };
  /** What each session is told, those to come, too. */
  readonly #told = { muted: false, talking: false };
  #end: () => void = () => {};
  #markRead: () => void = () => {};
  /** Events of its sessions so far. */
  #events = 0;
  /** Resolves when the last event was read. */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  /** Resolves when it was stopped and all was read that was there then: more may come late. */
  readonly read = new Promise<void>((resolve) => {
    this.#markRead = resolve;
  });

  constructor(options: SupervisorOptions) {
    this.source = options.source;
    this.#heardIn = { source: options.source, sessionId: "", utterances: 0, audioStartedAt: null };
    this.#options = options;
  }

  /** What was being said becomes a last utterance. Resolves when everything was read, or when nothing came for `stopTimeoutMs`. */
  async stop(): Promise<void> {
    if (!this.#isStopping) {
      this.#wish = { kind: "stop" };
      void this.#askToStop();
    }
    await this.ended;
  }

  /** Holds over restarts. @throws SttError where the server cannot */
  async mute(isMuted: boolean): Promise<void> {
    this.#told.muted = isMuted;
    if (isMuted || this.#open?.client.canMute) await this.update({ muted: isMuted });
  }

  /** What is being said is an utterance now, without waiting for a pause; what comes next is another one. @throws SttError where the server cannot */
  async endUtterance(): Promise<void> {
    if (this.#told.muted) return;
    // A mute ends what is being said: where that fails nothing was muted.
    await this.update({ muted: true });
    try {
      // Somebody may have muted it meanwhile.
      await this.update({ muted: this.#told.muted });
    } catch (error) {
      // Another session hears again, in any case.
      this.renew(deafAfterSending);
      throw error;
    }
  }

  /** Holds over restarts. @throws SttError where the server knows nothing of it */
  async talk(isTalking: boolean): Promise<void> {
    this.#told.talking = isTalking;
    if (this.#open && !this.#open.client.canTalk) {
      throw new SttError(
        "refused",
        "This speech server does not support push-to-talk. It listens all the time.",
      );
    }
    await this.update({ talking: isTalking });
  }

  /** Whether what listens now takes over the user's words. */
  get canTeach(): boolean {
    return this.#open?.client.canTeach ?? false;
  }

  /** Other limits while it listens; the next session asks for its own. @throws SttError where the server cannot */
  async update(changes: Omit<UpdateSessionArguments, "session_id">): Promise<void> {
    const { client, sessionId } = this.#open ?? {};
    if (client && sessionId !== undefined) await client.updateSession({ session_id: sessionId, ...changes });
  }

  /**
   * Begins anew with another session: what was being said is an utterance. For when a device may have gone deaf without
   * a word, such as while the computer slept.
   */
  renew(why: UserError): void {
    if (this.#isStopping || !this.#open) return;
    this.#wish = { kind: "renew", why };
    const { over } = this.#open;
    // A failure here shows in the poll, too.
    this.#stopOnce(this.#open).catch(() => {});
    // A server that says for ever that it runs keeps no other session from its begin.
    this.#awaitLastWords(over.signal).then(
      () => over.abort(),
      () => {},
    );
  }

  get #isStopping(): boolean {
    return this.#wish.kind === "stop";
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<VoiceEvent, void> {
    let failure: UserError | null = null;
    let restarts = 0;
    let isWaking = false;
    try {
      while (!this.#isStopping) {
        const end = yield* this.#session();
        failure = end.failure;
        if (this.#isStopping) break;
        if (this.#wish.kind === "renew") {
          yield { type: "restarting", why: this.#wish.why };
          if (this.#isStopping) break;
          this.#wish = { kind: "listen" };
          restarts = 0;
          isWaking = true;
          continue;
        }
        if (failure === null) break;
        isWaking &&= !end.hasRun;
        restarts = end.hasHeard ? 1 : restarts + 1;
        // A file would be played from its beginning again.
        if (end.isFile && end.hasHeard) break;
        // A computer that wakes up finds its devices one after the other.
        if (!(mayRestart(failure) || isWaking) || restarts > maxRestarts) break;
        yield { type: "restarting", why: failure };
        const pause = restartBaseMs * 2 ** (restarts - 1);
        await this.#options.clock.sleep(pause, this.#abort.signal).catch(() => {});
      }
      yield { type: "ended", failure: this.#isStopping ? null : failure };
    } finally {
      this.#abort.abort();
      this.#markRead();
      this.#end();
    }
  }

  async #askToStop(): Promise<void> {
    const over = this.#abort;
    const giveUp = this.#awaitLastWords(over.signal).then(
      () => over.abort(),
      () => {},
    );
    if (this.#open) {
      // Whatever else it is: the last words may be there to be read.
      await this.#stopOnce(this.#open).catch((error: unknown) => {
        if (isSttError(error, "closed")) over.abort();
      });
    } else {
      over.abort();
    }
    await giveUp;
  }

  /** Resolves when no more are to be waited for. @throws at the signal */
  async #awaitLastWords(signal: AbortSignal): Promise<void> {
    for (let waits = 1, events = -1; waits <= maxStopWaits && events !== this.#events; waits++) {
      events = this.#events;
      await this.#options.clock.sleep(stopTimeoutMs, signal);
    }
  }

  /** One session of the server. */
  async *#session(): AsyncGenerator<VoiceEvent, SessionEnd> {
    const end: SessionEnd = { failure: null, hasHeard: false, hasRun: false, isFile: false };
    let fatal: UserError | null = null;
    let hasEnded = false;
    let last = "starting";
    try {
      const open = await this.#start();
      if (!open) return end;
      const { client, sessionId, deviceName } = open;
      end.isFile = open.isFile;
      const heardIn: HeardIn = { ...this.#heardIn, sessionId, audioStartedAt: null };
      this.#heardIn = heardIn;
      yield { type: "opened", sessionId, device: deviceName };
      if (this.#isStopping) await this.#stopOnce(open);
      if (this.#told.muted && !client.canMute && this.source === "microphone") {
        yield { type: "notice", message: cannotBeMuted };
      }
      const { clock } = this.#options;
      const hasStopped = () => open.hasStopped;
      const canLinger = () => this.#isStopping;
      const signal = AbortSignal.any([this.#abort.signal, open.over.signal]);
      const finals = new HeardFinals();
      for await (const news of pollSession({ client, sessionId, clock, hasStopped, canLinger, signal })) {
        if (news.type === "status") {
          last = news.status;
          if (isOver(news.status)) break;
          if (news.status !== "running") continue;
          end.hasRun = true;
          yield { type: "audio_flows", flows: true };
        } else if (news.type === "event") {
          const { event } = news;
          this.#events += 1;
          if (this.#told.muted && !client.canMute && isOfSpeech(event)) continue;
          if (event.type === "error" && event.fatal) fatal = describeFailure(event);
          else if (event.type === "info" && event.message === sttInfo.sourceEnded) hasEnded = true;
          else if (event.type === "utterance_final") end.hasHeard = true;
          yield* heard(event, heardIn, finals);
        } else if (news.type === "unreadable") {
          yield { type: "notice", message: `The speech server sends what Parley cannot read: ${news.what}.` };
        } else if (news.type === "quiet") {
          this.#markRead();
        } else if (news.type === "renumbered") {
          yield { type: "notice", message: renumbered };
        } else yield news;
      }
      // Also of one that ended by itself: a server may hold a device until it is told.
      if (!this.#isStopping) await this.#stopOnce(open).catch(() => {});
      const isPlayed = end.isFile && last === "stopped" && fatal === null;
      if (!this.#isStopping && !hasEnded && !isPlayed) {
        end.failure = fatal ?? connectionLost(`The speech session ended by itself (${last}).`);
      }
    } catch (error) {
      const hadStarted = this.#open !== null;
      await this.#leave(error);
      if (!this.#abort.signal.aborted) {
        const failure = describeFailure(error);
        // A start that is refused stays refused; a poll may do better in a new session.
        const mayPass = hadStarted && failure.code !== "unsupported";
        end.failure = fatal ?? (mayPass ? { ...failure, code: "poll_failed" } : failure);
      }
    } finally {
      this.#open?.over.abort();
      this.#open = null;
    }
    return end;
  }

  /** @returns null where it is not wanted any more */
  async #start(): Promise<OpenSession | null> {
    const { connect, startArguments } = this.#options;
    const client = await connect();
    if (this.#isStopping) return null;
    const wanted = startArguments();
    // Where it cannot be told, Parley drops what it hears.
    const asked = { ...this.#told, muted: this.#told.muted && client.canMute };
    const flags = { ...(asked.muted && { muted: true }), ...(asked.talking && { talking: true }) };
    const opened = await client.startSession({ ...wanted, ...flags });
    const deviceName = opened.mic_device_name ?? null;
    const sessionId = opened.session_id;
    const isFile = wanted.source === "file";
    const over = new AbortController();
    const open = { client, sessionId, deviceName, isFile, stopping: null, hasStopped: false, over };
    this.#open = open;
    // Changed while it was being opened, or what the server takes only now.
    const isMuted = this.#told.muted && client.canMute;
    if (isMuted !== (asked.muted && !client.mutesLater)) await this.mute(isMuted);
    if (this.#told.talking !== asked.talking) await this.talk(this.#told.talking).catch(() => {});
    return open;
  }

  /** A session that we no longer read must not keep a microphone open. */
  async #leave(why: unknown): Promise<void> {
    if (!this.#open || this.#open.stopping) return;
    if (isSttError(why, "closed")) return;
    await this.#stopOnce(this.#open).catch(() => {});
  }

  /** @throws SttError where it was refused, or the server cannot be reached */
  #stopOnce(open: OpenSession): Promise<void> {
    open.stopping ??= open.client.stopSession(open.sessionId).finally(() => {
      open.hasStopped = true;
    });
    return open.stopping;
  }
}

/** What tells that somebody speaks, or what they say. */
const isOfSpeech = ({ type }: SttEvent): boolean =>
  type.startsWith("speech_") || type.startsWith("utterance_");

/**
 * An event of the speech server as it came, and what it means.
 * @param heardIn what is known of its session from here on @param finals the utterances of its session
 */
function* heard(event: SttEvent, heardIn: HeardIn, finals: HeardFinals): Generator<VoiceEvent, void> {
  yield { type: "raw", event };
  const startedAt = audioStart(event);
  if (startedAt !== undefined) heardIn.audioStartedAt = startedAt;
  const meaning = meaningOf(event, heardIn);
  if (meaning?.type === "onset") finals.began(meaning.startMs);
  if (meaning?.type !== "final") {
    if (meaning) yield meaning;
    return;
  }
  const hasId = event.type === "utterance_final" && event.utterance_id != null;
  const utterance = finals.take(meaning.utterance, hasId);
  if (utterance) {
    heardIn.utterances += 1;
    yield { type: "final", utterance };
  } else if (!finals.isSpokenAfter(meaning.utterance)) yield { type: "no_words" };
}

const renumbered =
  "The speech server has begun to number its events anew. Parley reads on; what was said in between may be missing.";

const cannotBeMuted =
  "This speech server cannot be muted: it goes on hearing what you say, and Parley drops that.";

const deafAfterSending: UserError = {
  code: "deaf",
  message: "The speech server did not listen again after it had ended an utterance.",
  hint: "What Parley listens to is opened again.",
};
