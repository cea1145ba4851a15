import type { StartSessionArguments, SttLevel } from "../../../shared/voice/stt.ts";
import type { AudioInputs } from "../audio/audio-inputs.ts";
import type { Clock } from "../clock.ts";
import type { ModelManager } from "../models/model-manager.ts";
import type { ModelStore } from "../models/model-store.ts";
import { SttError } from "../stt-error.ts";
import { Session } from "./session.ts";

/** Most sessions that listen at the same time. */
export const maxLiveSessions = 8;
/** Most sessions whose events stay readable after they ended; the oldest go first. */
export const maxEndedSessions = 20;

/** Nobody listened for so long, in milliseconds: the models make room. To load one again takes about a second. */
export const modelsKeptMs = 60_000;

export interface SessionsOptions {
  inputs: AudioInputs;
  models: ModelStore;
  /** The models that can be downloaded. */
  manager: ModelManager;
  clock: Clock;
  newId: () => string;
  onLevel?: (level: SttLevel) => void;
}

/** Who started sessions: they end with it. */
export class Owner {
  readonly sessionIds = new Set<string>();
  readonly gone = new AbortController();
}

/** All sessions of the process, whichever connection started them. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, Session>();
  /** Starts that are not sessions yet: they count, too. */
  #beginning = 0;
  /** The models go unless somebody listens before. */
  #resting = new AbortController();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get inputs(): AudioInputs {
    return this.#options.inputs;
  }

  get models(): ModelManager {
    return this.#options.manager;
  }

  /** Somebody listens or is about to, or a model is being downloaded. */
  get isBusy(): boolean {
    return this.#live + this.#beginning > 0 || this.#options.manager.isDownloading;
  }

  /** @throws SttError when it cannot listen, saying what to do; the signal's reason when the owner has gone meanwhile */
  async start(request: StartSessionArguments, owner: Owner): Promise<Session> {
    if (this.#live + this.#beginning >= maxLiveSessions) {
      throw new SttError(
        "too_many_sessions",
        `${maxLiveSessions} sessions are already listening. Stop one with stt_stop_session first.`,
      );
    }
    this.#resting.abort();
    this.#beginning += 1;
    let session: Session;
    try {
      session = await this.#make(request);
      // Before the microphone is opened: loading a model takes seconds.
      owner.gone.signal.throwIfAborted();
    } catch (error) {
      this.#beginning -= 1;
      this.#rest();
      throw error;
    }
    this.#beginning -= 1;
    const { id } = session;
    this.#sessions.set(id, session);
    owner.sessionIds.add(id);
    try {
      await session.start();
    } catch (error) {
      this.#sessions.delete(id);
      owner.sessionIds.delete(id);
      this.#rest();
      throw error;
    }
    session.ended.then(() => this.#rest()).catch(console.error);
    this.#forgetOldest();
    return session;
  }

  async #make(request: StartSessionArguments): Promise<Session> {
    const { inputs, models, clock, newId, onLevel } = this.#options;
    const source = inputs.create(request);
    const model = await models.get(request);
    const knowsGrammar = model.createGrammarRecogniser !== undefined;
    const helper = knowsGrammar ? undefined : await models.grammarModel(request.language);
    const id = newId();
    return new Session({
      id,
      request,
      source,
      model,
      secondModel: helper?.isOfLanguage ? helper.model : undefined,
      stopModel: helper?.model,
      clock,
      onLevel: (level) => onLevel?.({ type: "level", sessionId: id, level }),
    });
  }

  /** @throws SttError when there is no such session */
  get(id: string): Session {
    const session = this.#sessions.get(id);
    if (session) return session;
    throw new SttError(
      "unknown_session",
      `There is no session “${id}”: it was never started, or it ended long ago. Start one with stt_start_session.`,
    );
  }

  /** Stops an owner's sessions, also those that it has just asked for. */
  async leave(owner: Owner): Promise<void> {
    owner.gone.abort();
    await this.stopAll(owner.sessionIds);
  }

  /** Stops these sessions, or all; one that is over stays as it is. */
  async stopAll(ids: Iterable<string> = this.#sessions.keys()): Promise<void> {
    const stopping = [...ids].map((id) => this.#sessions.get(id)?.stop());
    await Promise.allSettled(stopping);
  }

  get #live(): number {
    return [...this.#sessions.values()].filter((session) => !session.isOver).length;
  }

  #rest(): void {
    if (this.#live + this.#beginning > 0) return;
    this.#resting.abort();
    this.#resting = new AbortController();
    const { clock, models } = this.#options;
    clock.sleep(modelsKeptMs, this.#resting.signal).then(
      () => models.release(),
      // Somebody listens again.
      () => undefined,
    );
  }

  #forgetOldest(): void {
    const ended = [...this.#sessions.values()].filter((session) => session.isOver);
    for (const session of ended.slice(0, Math.max(0, ended.length - maxEndedSessions))) {
      this.#sessions.delete(session.id);
    }
  }
}
