import type { AgentEventBody, UserError, VoiceStateName } from "../../../shared/conversation/events.ts";
import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { SttEvent } from "../../../shared/voice/stt.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import { Meeting } from "../routing/meeting.ts";
import type { Outcome, PromptDesk } from "../routing/prompt-desk.ts";
import type { TurnTimer } from "../routing/turn-timer.ts";
import type { VoiceTarget } from "../routing/voice-target.ts";
import { Ear, type EarEvents, type EarFinal, hasSlept, stalled } from "../stt/ear.ts";
import { silenceMsOf } from "../stt/hearing.ts";
import { endpointing, serverOf, startArguments } from "../stt/start-arguments.ts";
import type { SttClient } from "../stt/stt-client.ts";
import { isPushToTalk, wakePhraseOf } from "./talk-way.ts";
import { describeFailure } from "./voice-errors.ts";
import type { VoiceJournal } from "./voice-journal.ts";
import { isOver, offStatus, stateOf, type VoiceStart, type VoiceStatus } from "./voice-status.ts";

export interface VoiceSessionOptions {
  start: VoiceStart;
  target: VoiceTarget;
  connect(server: string | undefined, source: SpeechSource): Promise<SttClient>;
  settings(): Settings;
  clock: Clock;
  desk: PromptDesk;
  timer: TurnTimer;
  journal: VoiceJournal;
  /** Where sound is kept, when the user wants it to be. */
  recordings: string | undefined;
  /** How the user begins to talk by a key, or ends it while they do; null where they need none. */
  talkHint(isTalking: boolean): string | null;
  /** Listening begins, or somebody starts to speak, or goes on. */
  onSpeech(): void;
  onEvent(source: SpeechSource, event: SttEvent): void;
  onStatus(status: VoiceStatus): void;
  /** Words that were said for the text box of this conversation. */
  onDictated(conversationId: string, text: string): void;
  /** Right before the last state is told: a new session may begin from now on. */
  onOver(): void;
}

/** Voice from start to stop: one ear, or two in a meeting, and the conversation that their words go into. */
export class VoiceSession {
  readonly meeting: Meeting | null;
  readonly #options: VoiceSessionOptions;
  #start: VoiceStart;
  #ears: Ear[] = [];
  #target: VoiceTarget;
  #status: VoiceStatus;
  #isTalking = false;
  /** The wake phrase was heard a moment ago. */
  #isAwake = false;
  #isDictating = false;
  /** The utterance that is being said, and one that was begun while dictating. */
  #openId: string | null = null;
  #dictatedId: string | null = null;
  /** Set when the user wants it to end; a second wish changes nothing. */
  #isStopping = false;
  #done: Promise<void> = Promise.resolve();

  constructor(options: VoiceSessionOptions) {
    const { start, target } = options;
    this.#options = options;
    this.#start = start;
    this.#target = target;
    this.meeting = start.source === "both" ? new Meeting() : null;
    this.#status = { ...offStatus, source: start.source, conversationId: target.id };
  }

  begin(): void {
    this.#enter("starting");
    const { source } = this.#start;
    const sources: SpeechSource[] = source === "both" ? ["microphone", "loopback"] : [source];
    this.#ears = sources.map((one) => this.#ear(one));
    this.#done = this.#live();
  }

  get status(): VoiceStatus {
    return this.#status;
  }

  get start(): VoiceStart {
    return this.#start;
  }

  get isDictating(): boolean {
    return this.#isDictating;
  }

  /** The microphone, where one is heard and the server says which. */
  get device(): string | null {
    return this.#ears.find(({ source }) => source === "microphone")?.device ?? null;
  }

  /** Who hears, where it is not Parley's own server. */
  get server(): string | null {
    return serverOf(this.#start, this.#options.settings()) ?? null;
  }

  get recordingTo(): string | null {
    return this.#ears.find(({ recordingTo }) => recordingTo !== null)?.recordingTo ?? null;
  }

  get target(): VoiceTarget {
    return this.#target;
  }

  /** What was being said becomes a last prompt. Resolves when everything was read, or the last words were given up. */
  async stop(): Promise<void> {
    if (!this.#isStopping) {
      this.#isStopping = true;
      this.#enter("stopping");
      for (const ear of this.#ears) void ear.stop();
    }
    await this.#done;
  }

  /** Goes on in another conversation, whose prompts come from here on. */
  moveTo(target: VoiceTarget): void {
    if (this.#target.id === target.id) return;
    this.#options.desk.letGo();
    this.#target.emit({ type: "voice.state", state: "off", source: null });
    this.#target = target;
    this.#status = { ...this.#status, conversationId: target.id };
    this.#enter(this.#status.state);
  }

  /** What is said is dropped until unmuted, the source stays open. @throws SttError where the server cannot */
  async mute(isMuted: boolean): Promise<void> {
    await Promise.all(this.#ears.map((ear) => ear.mute(isMuted)));
    this.#enter(this.#status.state);
  }

  /** What the computer plays is not listened to for a while. */
  hushLoopback(isHushed: boolean): void {
    for (const ear of this.#ears) if (ear.source === "loopback") ear.hush(isHushed);
  }

  /** Opens what is listened to anew, and says so: a device may be deaf after the computer slept. A file waits by itself. */
  wakeUp(): void {
    if (this.#isStopping || this.#start.source === "file") return;
    this.#tell({ type: "voice.notice", message: `${hasSlept.message} ${hasSlept.hint}` }, null);
    for (const ear of this.#ears) ear.renew(hasSlept);
  }

  /** Says once more how things are: something about it has changed. */
  tellState(): void {
    this.#enter(this.#status.state);
  }

  /** Push-to-talk: what the microphone hears from now on is a prompt, until the key is let go. */
  setTalking(isTalking: boolean): void {
    const ears = this.#ears.filter(({ source }) => source === "microphone");
    const refuse = (error: unknown) => {
      if (isTalking)
        this.#tell({ type: "voice.notice", message: describeFailure(error).message }, "microphone");
    };
    if (ears.length === 0)
      refuse(new Error("Voice does not listen to the microphone: there is nothing to talk into."));
    for (const ear of ears) ear.talk(isTalking).catch(refuse);
  }

  /** What is said goes into the text box; a sentence that was begun there ends there. */
  setDictating(isDictating: boolean): void {
    if (isDictating && this.#wakePhrase !== null) {
      throw new Error("Voice waits for its wake phrase: stop it first, then dictate.");
    }
    this.#dictatedId = isDictating ? null : this.#openId;
    this.#isDictating = isDictating;
    this.#options.desk.letGo();
    // Who dictates does not hold a key.
    if (!this.#start.isHandsFree && isPushToTalk(this.#options.settings())) this.setTalking(isDictating);
    this.#enter(this.#status.state);
  }

  /** Listens by the settings as they are now, whatever it was started with. @throws SttError where the server cannot */
  async adjust(): Promise<void> {
    const { endpointingMs: _, utteranceEndMs: __, ...start } = this.#start;
    this.#start = start;
    const limits = endpointing(start, this.#options.settings());
    await Promise.all(this.#ears.map((ear) => ear.update(limits)));
  }

  #ear(source: SpeechSource): Ear {
    const { connect, clock, settings, recordings } = this.#options;
    return new Ear({
      source,
      connect: () => connect(serverOf(this.#start, settings()), source),
      startArguments: () => startArguments(this.#start, source, settings(), recordings),
      clock,
      events: this.#earEvents(),
    });
  }

  #earEvents(): EarEvents {
    const { desk, onSpeech, onEvent } = this.#options;
    return {
      onEvent: ({ source }, event) => onEvent(source, event),
      onState: ({ state }, why) => {
        if (why && why !== stalled && why !== hasSlept)
          this.#status = { ...this.#status, restarts: this.#status.restarts + 1, lastError: why };
        if (state === "hearing") onSpeech();
        const before = this.#status.state;
        this.#enter(stateOf(this.#ears), why);
        if (state === "listening" && (before === "starting" || before === "restarting")) onSpeech();
      },
      onOnset: ({ source }, at) => {
        if (source !== "loopback" || !this.meeting) desk.onset(at);
      },
      onPartial: ({ source }, utteranceId, text) => {
        if (source === "microphone") this.#openId = utteranceId;
        this.#target.emit({ type: "voice.partial", utteranceId, text });
        onSpeech();
      },
      onFinal: ({ source }, final) => this.#finished(source, final),
      onNothing: () => desk.letGo(),
      onTalk: (_, isTalking) => {
        this.#isTalking = isTalking;
        this.#enter(this.#status.state);
      },
      onGap: ({ source }, missed) => this.#tell({ type: "voice.gap", missed }, source),
      onNotice: ({ source }, message) => this.#tell({ type: "voice.notice", message }, source),
      onWake: ({ source }, isAwake) => {
        this.#isAwake = isAwake;
        const text = isAwake ? "Heard the wake phrase" : "Waits for the wake phrase";
        this.#options.journal.add({ kind: "notice", text }, source);
        this.#enter(this.#status.state);
      },
      onAside: ({ source }, text) => this.#options.journal.add({ kind: "notice", text }, source),
    };
  }

  #finished(source: SpeechSource, final: EarFinal): void {
    if (source === "microphone" && (this.#isDictating || final.shownId === this.#dictatedId)) {
      this.#dictated(source, final);
      return;
    }
    const { desk, settings, timer, clock } = this.#options;
    const meeting = this.meeting;
    const target = this.#target;
    const { text, confidence, startMs, endMs, audioStartedAt, finalAt, shownId, doubts, command } = final;
    const epochOf = (ms: number | null) =>
      audioStartedAt === null || ms === null ? null : audioStartedAt + ms;
    const utterance = { text, confidence, source, startedAt: epochOf(startMs), endedAt: epochOf(endMs) };
    const silenceMs = silenceMsOf(final.reason, settings());
    const outcome = desk.take(
      { ...utterance, command, sessionId: final.sessionId, startMs, endMs, silenceMs, doubts },
      target,
      meeting && { played: meeting.played, isTalking: this.#isTalking, take: () => meeting.take() },
    );
    const tell = (utteranceId: string, said: { text: string; source: SpeechSource }, what: Outcome) =>
      this.#tell(
        {
          type: "voice.utterance",
          utteranceId,
          text: said.text,
          source: said.source,
          reason: final.reason,
          confidence,
          ...what,
          ...(doubts.length > 0 && { heard: doubts }),
          timing: { audioStartedAt, speechEndMs: endMs, finalAt },
        },
        said.source,
      );
    const meant =
      outcome.rule === "stop_word" && command !== null ? { ...utterance, text: command } : utterance;
    this.#count(meant.text, outcome);
    tell(shownId, meant, outcome);
    if (outcome.inputId !== undefined) {
      timer.begin(target, outcome.inputId, { endedAt: utterance.endedAt, finalAt });
    }
    if (outcome.rule !== "noted") return;
    const dropped = "echo of what this computer plays";
    for (const echo of meeting?.note(utterance, shownId, clock.now()) ?? []) {
      tell(echo.utteranceId, echo, { rule: "echo", dropped });
    }
  }

  #dictated(source: SpeechSource, { text, confidence }: EarFinal): void {
    const { journal, onDictated } = this.#options;
    this.#count(text, {});
    journal.add({ kind: "utterance", text, rule: "dictated", confidence }, source);
    onDictated(this.#target.id, text);
  }

  /** To the conversation, and to whoever looks at voice. */
  #tell(body: AgentEventBody, source: SpeechSource | null): void {
    this.#options.journal.event(body, source);
    this.#target.emit(body);
  }

  get #wakePhrase(): string | null {
    return wakePhraseOf(this.#start, this.#options.settings());
  }

  /** What to do to be heard, where nothing is heard before, and how to end it. */
  #talkHint(): { talkHint?: string } {
    if (this.#start.isHandsFree || this.#start.source !== "microphone") return {};
    const phrase = this.#wakePhrase;
    if (phrase !== null) return this.#isAwake ? {} : { talkHint: `Say “${phrase}” first.` };
    const hint = this.#options.talkHint(this.#isTalking);
    return hint === null ? {} : { talkHint: hint };
  }

  #count(lastText: string, { inputId, rule }: Outcome): void {
    const { utterances, prompts } = this.#status;
    const isPrompt = inputId !== undefined || rule === "steered";
    this.#status = {
      ...this.#status,
      utterances: utterances + 1,
      prompts: prompts + (isPrompt ? 1 : 0),
      lastText,
    };
  }

  async #live(): Promise<void> {
    const failures = await Promise.all(
      this.#ears.map(async (ear) => {
        const failure = await ear.done;
        const goesOn = this.#ears.some((other) => other !== ear && !isOver(other.state));
        // The other one of a meeting goes on; that this one does not must be seen.
        if (failure && goesOn) this.#tell({ type: "error", error: failure }, ear.source);
        return failure;
      }),
    );
    const failure = failures.find((one) => one !== null);
    const hasFailed = failures.every((one) => one !== null) && !this.#isStopping;
    this.#options.onOver();
    if (failure && hasFailed) {
      this.#status = { ...this.#status, lastError: failure };
      this.#enter("failed", failure);
    } else {
      this.#enter("off");
    }
  }

  /** Says a new state, once. While stopping, only the end is news. */
  #enter(state: VoiceStateName, detail?: UserError): void {
    const over = isOver(state);
    if (this.#isStopping && !over && state !== "stopping") return;
    const source = over ? null : this.#start.source;
    const isMuted = !over && this.#ears.length > 0 && this.#ears.every((ear) => ear.isMuted);
    const ids = this.#ears.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]));
    this.#status = { ...this.#status, state, source, isMuted, sessionId: ids.join(", ") || null };
    if (over) this.#status = { ...this.#status, conversationId: null, sessionId: null };
    this.#tell(
      {
        type: "voice.state",
        state,
        source,
        ...(isMuted && { isMuted }),
        ...(this.#isDictating && !over && { isDictating: true }),
        ...(!over && this.#talkHint()),
        ...(detail && { detail }),
      },
      null,
    );
    this.#options.onStatus(this.#status);
  }
}
