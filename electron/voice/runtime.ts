import type { UserError, VoiceStateName } from "../../shared/events.ts";
import type { SaidLine, SpeechSource, VoiceSource } from "../../shared/messages.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ListDevicesResult, StartSessionArguments, SttEvent } from "../../shared/stt.ts";
import type { Clock } from "../agent/ports.ts";
import { Ear, type EarEvents, type EarFinal } from "./ear.ts";
import { silenceMsOf } from "./hearing.ts";
import { Meeting } from "./meeting.ts";
import { type Outcome, PromptDesk } from "./prompt-desk.ts";
import type { SttClient } from "./stt-client.ts";
import { type TurnParts, TurnTimer } from "./turn-timer.ts";
import type { HeardUtterance, Speaking, SpokenAnswer } from "./utterance-gate.ts";
import type { VoiceTarget } from "./voice-target.ts";
import { testVoice, type VoiceTestResult } from "./voice-test.ts";

export interface VoiceStart {
  source: VoiceSource;
  path?: string | undefined;
  pace?: StartSessionArguments["pace"] | undefined;
  deviceId?: string | undefined;
  deviceName?: string | undefined;
  /** In the place of the settings', for this session. */
  language?: string | undefined;
  endpointingMs?: number | undefined;
  utteranceEndMs?: number | undefined;
  /** A configured MCP server in the place of Parley's own. */
  server?: string | undefined;
}

export interface VoiceStatus {
  state: VoiceStateName;
  source: VoiceSource | null;
  conversationId: string | null;
  /** Of both sources in a meeting, joined by a comma. */
  sessionId: string | null;
  isMuted: boolean;
  utterances: number;
  prompts: number;
  restarts: number;
  lastText: string | null;
  lastError: UserError | null;
}

export interface VoiceRuntimeOptions {
  /** A client of the speech server, started when it does not run. Called again after it died. undefined: Parley's own. */
  connect(server: string | undefined): Promise<SttClient>;
  settings(): Settings;
  clock: Clock;
  /** Called when listening begins and whenever somebody starts to speak: a prompt may come soon. */
  onSpeech?(): void;
  /** Told of every change, for what is outside the conversation: the tray, other windows. */
  onChange?(status: VoiceStatus): void;
  /** What Parley says aloud, or said last. */
  speaking?(): Speaking | null;
  stopSpeaking?(): void;
  /** Looks at a prompt before it is one. @returns why it is none */
  intercept?(text: string, source: SpeechSource, durationMs: number | null): string | null;
  /** What an utterance says to the approval that waits; nothing, where it is not given. */
  spokenAnswer?(said: HeardUtterance, conversationId: string): SpokenAnswer | null;
}

/** An event of the speech server as it came. */
export interface ServerEvent {
  source: SpeechSource;
  event: SttEvent;
}

/** How many of them are kept to be looked at. */
export const keptEvents = 500;

/** What the button of a meeting asks. */
export const meetingQuestion =
  "Look at what was just said in the meeting: answer what was asked of me, or sum up what matters.";

/** One voice session of the app, from start to stop. */
interface Session {
  start: VoiceStart;
  target: VoiceTarget;
  ears: Ear[];
  meeting: Meeting | null;
  /** Push-to-talk is held. */
  isTalking: boolean;
  /** Set when the user wants it to end; a second wish changes nothing. */
  isStopping: boolean;
  done: Promise<void>;
}

/** Hands-free voice: what is heard goes through the gate into the conversation that voice belongs to. */
export class VoiceRuntime {
  readonly #options: VoiceRuntimeOptions;
  readonly #desk: PromptDesk;
  readonly #timer: TurnTimer;
  #session: Session | null = null;
  #status: VoiceStatus = offStatus;
  #events: ServerEvent[] = [];
  #peak: number | null = null;
  #isTesting = false;
  #isLoopbackMuted = false;

  constructor(options: VoiceRuntimeOptions) {
    const { settings, clock } = options;
    this.#options = options;
    this.#timer = new TurnTimer(clock);
    this.#desk = new PromptDesk({
      settings,
      clock,
      speaking: () => options.speaking?.() ?? null,
      stopSpeaking: () => options.stopSpeaking?.(),
      intercept: (text, source, durationMs) => options.intercept?.(text, source, durationMs) ?? null,
      spokenAnswer: (said, conversationId) => options.spokenAnswer?.(said, conversationId) ?? null,
    });
  }

  status(): VoiceStatus {
    return this.#status;
  }

  /** Of the last spoken prompt; null before the first. */
  get turn(): TurnParts | null {
    return this.#timer.last;
  }

  /** Prompts that wait in the conversation that voice belongs to: those that run by themselves, and those that are held. */
  queue(): { waiting: number; held: number } {
    const queue = this.#session?.target.view().queue ?? [];
    const held = queue.filter(({ isHeld }) => isHeld).length;
    return { waiting: queue.length - held, held };
  }

  /** The newest events of the speech server, oldest first. */
  events(count: number): ServerEvent[] {
    return this.#events.slice(-Math.max(1, count));
  }

  /** How loud it is, RMS 0–1, by whoever hears the samples. */
  tellLevel(level: number): void {
    this.#peak = Math.max(this.#peak ?? 0, level);
  }

  /** Starts listening for `target`. @throws Error when voice is on already */
  start(target: VoiceTarget, start: VoiceStart): void {
    if (this.#isTesting) throw new Error("The microphone is being tested: try again in a moment.");
    if (this.#session) {
      throw new Error(`Voice is on already (${this.#session.start.source}). \`/voice stop\` ends it.`);
    }
    this.#status = { ...offStatus, source: start.source, conversationId: target.id };
    const session: Session = {
      start,
      target,
      ears: [],
      meeting: start.source === "both" ? new Meeting() : null,
      isTalking: false,
      isStopping: false,
      done: Promise.resolve(),
    };
    this.#session = session;
    this.#enter(session, "starting");
    const sources: SpeechSource[] = start.source === "both" ? ["microphone", "loopback"] : [start.source];
    session.ears = sources.map((source) => this.#ear(session, source));
    session.done = this.#live(session);
  }

  /**
   * Ends the session: what was being said becomes a last prompt. Resolves when everything was read, or the last words
   * were given up. Without a session it does nothing.
   */
  async stop(): Promise<void> {
    const session = this.#session;
    if (!session) return;
    if (!session.isStopping) {
      session.isStopping = true;
      this.#enter(session, "stopping");
      for (const ear of session.ears) void ear.stop();
    }
    await session.done;
  }

  /** Carries a running session over to another conversation, whose prompts come from here on. */
  moveTo(target: VoiceTarget): void {
    const session = this.#session;
    if (!session || session.target.id === target.id) return;
    this.#desk.letGo();
    session.target.emit({ type: "voice.state", state: "off", source: null });
    session.target = target;
    this.#status = { ...this.#status, conversationId: target.id };
    this.#enter(session, this.#status.state);
  }

  /** What is said is dropped until unmuted, the source stays open. @throws Error when voice is off, or cannot */
  async mute(isMuted: boolean): Promise<void> {
    const session = this.#session;
    if (!session) throw new Error("Voice is off.");
    await Promise.all(session.ears.map((ear) => ear.mute(isMuted)));
    this.#enter(session, this.#status.state);
  }

  /** While Parley speaks, what the computer plays is Parley: it is not listened to. */
  muteLoopback(isMuted: boolean): void {
    this.#isLoopbackMuted = isMuted;
    for (const ear of this.#session?.ears ?? []) if (ear.source === "loopback") ear.hush(isMuted);
  }

  /** Push-to-talk in a meeting: what the microphone hears from now on is a prompt, until it is let go. */
  setTalking(isTalking: boolean): void {
    if (this.#session) this.#session.isTalking = isTalking;
  }

  /** What was said in the meeting of this conversation since it was last asked about. Empty outside of one. */
  takeMeeting(conversationId: string): SaidLine[] {
    const session = this.#session;
    return session?.target.id === conversationId ? (session.meeting?.take() ?? []) : [];
  }

  /** Asks about the meeting. @throws Error when there is none, or nothing was said since */
  ask(): void {
    const session = this.#session;
    if (!session?.meeting) throw new Error("No meeting is being listened to.");
    const meeting = session.meeting.take();
    if (meeting.length === 0) throw new Error("Nothing was said since you last asked.");
    session.target.submit({ text: meetingQuestion, origin: "typed", source: null, meeting });
  }

  /** @throws Error when the words are not remembered any more */
  sendAnyway(droppedId: string): void {
    this.#desk.sendAnyway(droppedId);
  }

  /** Listens for a few seconds without sending anything. @throws Error when voice is on */
  async test(): Promise<VoiceTestResult> {
    if (this.#session || this.#isTesting) throw new Error("Voice is on: `/voice stop` first.");
    this.#isTesting = true;
    this.#peak = null;
    const { connect, clock } = this.#options;
    try {
      return await testVoice({
        connect: () => connect(undefined),
        startArguments: () => this.#arguments({ source: "microphone" }, "microphone"),
        clock,
        peak: () => this.#peak,
      });
    } finally {
      this.#isTesting = false;
    }
  }

  /** @throws SttError */
  async devices(server?: string): Promise<ListDevicesResult> {
    return await (await this.#options.connect(server)).listDevices();
  }

  #ear(session: Session, source: SpeechSource): Ear {
    const { connect, clock } = this.#options;
    const ear = new Ear({
      source,
      connect: () => connect(session.start.server),
      startArguments: () => this.#arguments(session.start, source),
      clock,
      events: this.#earEvents(session),
    });
    if (source === "loopback" && this.#isLoopbackMuted) ear.hush(true);
    return ear;
  }

  #earEvents(session: Session): EarEvents {
    return {
      onEvent: ({ source }, event) => {
        this.#events = [...this.#events.slice(1 - keptEvents), { source, event }];
      },
      onState: ({ state }, why) => {
        if (why) this.#status = { ...this.#status, restarts: this.#status.restarts + 1, lastError: why };
        if (state === "hearing") this.#options.onSpeech?.();
        const before = this.#status.state;
        this.#enter(session, stateOf(session.ears), why);
        if (state === "listening" && (before === "starting" || before === "restarting")) {
          this.#options.onSpeech?.();
        }
      },
      onOnset: ({ source }, at) => {
        if (source !== "loopback" || !session.meeting) this.#desk.onset(at);
      },
      onPartial: (_, utteranceId, text) => session.target.emit({ type: "voice.partial", utteranceId, text }),
      onFinal: ({ source }, final) => this.#finished(session, source, final),
      onNothing: () => this.#desk.letGo(),
      onGap: (_, missed) => session.target.emit({ type: "voice.gap", missed }),
      onNotice: (_, message) => session.target.emit({ type: "voice.notice", message }),
    };
  }

  #finished(session: Session, source: SpeechSource, final: EarFinal): void {
    const { target, meeting } = session;
    const { text, confidence, startMs, endMs, audioStartedAt, finalAt, shownId, doubts } = final;
    const epochOf = (ms: number | null) =>
      audioStartedAt === null || ms === null ? null : audioStartedAt + ms;
    const utterance = { text, confidence, source, startedAt: epochOf(startMs), endedAt: epochOf(endMs) };
    const silenceMs = silenceMsOf(final.reason, this.#options.settings());
    const outcome = this.#desk.take(
      { ...utterance, sessionId: final.sessionId, startMs, endMs, silenceMs, doubts },
      target,
      meeting && { played: meeting.played, isTalking: session.isTalking, take: () => meeting.take() },
    );
    const tell = (utteranceId: string, said: { text: string; source: SpeechSource }, what: Outcome) =>
      target.emit({
        type: "voice.utterance",
        utteranceId,
        text: said.text,
        source: said.source,
        reason: final.reason,
        confidence,
        ...what,
        ...(doubts.length > 0 && { heard: doubts }),
        timing: { audioStartedAt, speechEndMs: endMs, finalAt },
      });
    const { utterances, prompts } = this.#status;
    const isPrompt = outcome.inputId !== undefined || outcome.rule === "steered";
    this.#status = {
      ...this.#status,
      utterances: utterances + 1,
      prompts: prompts + (isPrompt ? 1 : 0),
      lastText: text,
    };
    tell(shownId, utterance, outcome);
    if (outcome.inputId !== undefined) {
      this.#timer.begin(target, outcome.inputId, { endedAt: utterance.endedAt, finalAt });
    }
    if (outcome.rule !== "noted") return;
    const dropped = "echo of what this computer plays";
    for (const echo of meeting?.note(utterance, shownId, this.#options.clock.now()) ?? []) {
      tell(echo.utteranceId, echo, { rule: "echo", dropped });
    }
  }

  async #live(session: Session): Promise<void> {
    const failures = await Promise.all(
      session.ears.map(async (ear) => {
        const failure = await ear.done;
        const goesOn = session.ears.some((other) => other !== ear && !isOver(other.state));
        // The other one of a meeting goes on; that this one does not must be seen.
        if (failure && goesOn) session.target.emit({ type: "error", error: failure });
        return failure;
      }),
    );
    const failure = failures.find((one) => one !== null);
    const hasFailed = failures.every((one) => one !== null) && !session.isStopping;
    this.#session = null;
    if (failure && hasFailed) {
      this.#status = { ...this.#status, lastError: failure };
      this.#enter(session, "failed", failure);
    } else {
      this.#enter(session, "off");
    }
  }

  #arguments(start: VoiceStart, source: SpeechSource): Partial<StartSessionArguments> {
    const settings = this.#options.settings();
    const { path, pace, deviceId, deviceName } = start;
    return {
      source,
      ...(path !== undefined && { path }),
      ...(pace !== undefined && { pace }),
      ...(source === "microphone" && deviceId !== undefined && { mic_device_id: deviceId }),
      ...(source === "microphone" && deviceName !== undefined && { mic_device_name: deviceName }),
      language: start.language ?? settings["voice.language"],
      endpointing_ms: start.endpointingMs ?? settings["voice.endpointingMs"],
      utterance_end_ms: start.utteranceEndMs ?? settings["voice.utteranceEndMs"],
      max_utterance_ms: settings["voice.maxUtteranceMs"],
    };
  }

  /** Says a new state, once. While stopping, only the end is news. */
  #enter(session: Session, state: VoiceStateName, detail?: UserError): void {
    const over = isOver(state);
    if (session.isStopping && !over && state !== "stopping") return;
    const source = over ? null : session.start.source;
    const isMuted = !over && session.ears.length > 0 && session.ears.every((ear) => ear.isMuted);
    const ids = session.ears.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]));
    this.#status = { ...this.#status, state, source, isMuted, sessionId: ids.join(", ") || null };
    if (over) this.#status = { ...this.#status, conversationId: null, sessionId: null };
    session.target.emit({
      type: "voice.state",
      state,
      source,
      ...(isMuted && { isMuted }),
      ...(detail && { detail }),
    });
    this.#options.onChange?.(this.#status);
  }
}

const isOver = (state: VoiceStateName) => state === "off" || state === "failed";

/** Of several ears: what the user should know first. */
const precedence: readonly VoiceStateName[] = [
  "restarting",
  "starting",
  "hearing",
  "transcribing",
  "listening",
];

const stateOf = (ears: readonly Ear[]): VoiceStateName =>
  precedence.find((state) => ears.some((ear) => ear.state === state)) ?? "listening";

const offStatus: VoiceStatus = {
  state: "off",
  source: null,
  conversationId: null,
  sessionId: null,
  isMuted: false,
  utterances: 0,
  prompts: 0,
  restarts: 0,
  lastText: null,
  lastError: null,
};
