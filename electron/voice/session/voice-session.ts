import type { AgentEventBody, UserError } from "../../../shared/conversation/events.ts";
import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { SttEvent } from "../../../shared/voice/stt.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import { Meeting } from "../routing/meeting.ts";
import { saidTimes } from "../routing/said-times.ts";
import type { TurnTimer } from "../routing/turn-timer.ts";
import type { Outcome, UtteranceRouter } from "../routing/utterance-router.ts";
import type { VoiceTarget } from "../routing/voice-target.ts";
import { SessionSupervisor } from "../stt/session-supervisor.ts";
import { endpointing, hotWords, serverOf, startArguments } from "../stt/start-arguments.ts";
import type { SttClient } from "../stt/stt-client.ts";
import type { Utterance, VoiceEvent } from "../stt/voice-events.ts";
import type { StopWords } from "./stop-words-hint.ts";
import { describeFailure, hasSlept } from "./voice-errors.ts";
import type { VoiceJournal } from "./voice-journal.ts";
import { type ModeRules, modeOf, modeRules } from "./voice-mode.ts";
import {
  isDictated,
  isLive,
  nameOf,
  off,
  statusOf,
  stepVoice,
  type VoiceStart,
  type VoiceState,
  type VoiceStateAction,
  type VoiceStateEvent,
  waitsIn,
} from "./voice-state.ts";

/** What a session tells whoever is not in its conversation. */
export type VoiceSessionEvent =
  /** How voice stands has changed. */
  | { type: "changed" }
  /** Something else changed that the voice panel shows. */
  | { type: "panel" }
  /** Listening begins, or somebody starts to speak, or goes on: a prompt may come soon. */
  | { type: "expect_prompt" }
  /** Words that were said for the text box of this conversation. `isQuick`: for that of the quick prompt. */
  | { type: "dictated"; conversationId: string; text: string; isTrial: boolean; isQuick: boolean }
  /** An event of the speech server, as it came. */
  | { type: "raw"; source: SpeechSource; event: SttEvent };

export interface VoiceSessionOptions {
  start: VoiceStart;
  target: VoiceTarget;
  connect(server: string | undefined, source: SpeechSource): Promise<SttClient>;
  settings(): Settings;
  clock: Clock;
  router: UtteranceRouter;
  timer: TurnTimer;
  journal: VoiceJournal;
  /** Where sound is kept, when the user wants it to be. */
  recordings: string | undefined;
  /** How the user begins to talk by a key, or ends it while they do; null where they need none. */
  keyHint(isTalking: boolean): string | null;
  /** The computer's sound is Parley's own now. */
  isLoopbackOwn(): boolean;
  tell(news: VoiceSessionEvent): void;
}

/** A line of a meeting may become known so long after it was said, in milliseconds: a slow computer falls behind. */
const maxLateLineMs = 3_600_000;

/** How long who stops voice waits for the last words, in milliseconds: then it is off, and they come when they come. */
export const stopPatienceMs = 2000;

/** Voice from start to stop: one source, or two in a meeting, and the conversation that their words go into. */
export class VoiceSession {
  readonly #meeting = new Meeting();
  readonly #options: VoiceSessionOptions;
  readonly #inputs: readonly SessionSupervisor[];
  #start: VoiceStart;
  #target: VoiceTarget;
  #state: VoiceState = off;
  #isTrial = false;
  #stopWords: StopWords | null = null;
  #over: Promise<unknown> = Promise.resolve();

  constructor(options: VoiceSessionOptions) {
    const { start, target } = options;
    this.#options = options;
    this.#start = start;
    this.#target = target;
    const sources: SpeechSource[] = start.source === "both" ? ["microphone", "loopback"] : [start.source];
    this.#inputs = sources.map((source) => this.#input(source));
  }

  begin(): void {
    const endMeeting = this.#start.source === "both" ? this.#target.beginMeeting() : () => {};
    const sources = this.#inputs.map(({ source }) => source);
    this.#step({ type: "started", sources, mode: modeOf(this.#start, this.#options.settings()) });
    this.#over = Promise.all(this.#inputs.map((input) => this.#follow(input))).finally(endMeeting);
  }

  get state(): VoiceState {
    return this.#state;
  }

  /** What was dictated last is only shown. */
  get isTrial(): boolean {
    return this.#isTrial;
  }

  /** Which words to stop are listened for over a reply; null where the server does not say. */
  get stopWords(): StopWords | null {
    return this.#stopWords;
  }

  get start(): VoiceStart {
    return this.#start;
  }

  get target(): VoiceTarget {
    return this.#target;
  }

  /** What the mode permits that it was started in; null where nothing is listened to. */
  get rules(): ModeRules | null {
    return this.#state.kind === "off" || this.#state.kind === "failed"
      ? null
      : modeRules[this.#state.startedIn];
  }

  /** What is said in the meeting; null outside of one. */
  get meeting(): Meeting | null {
    return this.rules?.wordsGoTo === "meeting" ? this.#meeting : null;
  }

  /** Who hears, where it is not Parley's own server. */
  get server(): string | null {
    return serverOf(this.#start, this.#options.settings()) ?? null;
  }

  /**
   * What was being said becomes a last prompt. Resolves when voice is off: everything was read, or the server takes longer
   * than `stopPatienceMs` over it.
   */
  async stop(): Promise<void> {
    this.#step({ type: "stopped" });
    for (const input of this.#inputs) void input.stop();
    let callOff = () => {};
    const patience = new Promise<void>((resolve) => {
      callOff = this.#options.clock.after(stopPatienceMs, resolve);
    });
    const read = Promise.all(this.#inputs.map((input) => input.read));
    const goneOn = Promise.race([read, patience]).then(() => this.#step({ type: "gone_on" }));
    await Promise.race([this.#over, goneOn]);
    callOff();
  }

  /** Goes on in another conversation, whose prompts come from here on. */
  moveTo(target: VoiceTarget): void {
    if (this.#target.id === target.id) return;
    this.#options.router.resume();
    this.#target.emit({ type: "voice.state", state: "off", source: null });
    this.#target = target;
    this.#step({ type: "refreshed" });
  }

  /** Whether it listens for the quick prompt from here on. */
  setQuick(isQuick: boolean): void {
    this.#start = { ...this.#start, isQuick };
  }

  /** What is said is dropped until unmuted, the source stays open. @throws SttError where the server cannot: all stays as it was */
  async mute(isMuted: boolean): Promise<void> {
    const before = isLive(this.#state) && this.#state.isMuted;
    const muteAll = (is: boolean) =>
      Promise.allSettled(this.#inputs.map((input) => input.mute(this.#isDeaf(input, is))));
    const failed = (await muteAll(isMuted)).find((one) => one.status === "rejected");
    if (failed) {
      // What is shown holds for both sources of a meeting.
      await muteAll(before);
      throw failed.reason;
    }
    this.#step({ type: "muted", isMuted });
  }

  /** What the user is saying is sent now. @throws SttError where the server cannot */
  async sendNow(): Promise<void> {
    const own = this.#inputs.filter(({ source }) => source === "microphone");
    await Promise.all(own.map((input) => input.endUtterance()));
  }

  /** The computer's sound is Parley's own from here on, or no more: it is not listened to then, where the server can. */
  hushLoopback(): void {
    const isMuted = isLive(this.#state) && this.#state.isMuted;
    for (const input of this.#inputs) {
      if (input.source === "loopback") void input.mute(this.#isDeaf(input, isMuted)).catch(() => {});
    }
  }

  #isDeaf({ source }: SessionSupervisor, isMuted: boolean): boolean {
    return isMuted || (source === "loopback" && this.#options.isLoopbackOwn());
  }

  /** Opens what is listened to anew, and says so: a device may be deaf after the computer slept. A file waits by itself. */
  wakeUp(): void {
    if (this.#state.kind !== "on" || this.#start.source === "file") return;
    this.#tell({ type: "voice.notice", message: `${hasSlept.message} ${hasSlept.hint}` }, null);
    for (const input of this.#inputs) input.renew(hasSlept);
  }

  /** Says once more how things are: something about it has changed. */
  tellState(): void {
    this.#step({ type: "refreshed" });
  }

  /** Push-to-talk: what the microphone hears from now on is a prompt, until the key is let go. */
  setTalking(isTalking: boolean): void {
    // Who dictates is heard, whatever key is let go.
    if (!isTalking && isLive(this.#state) && this.#state.mode === "dictation") return;
    const microphones = this.#inputs.filter(({ source }) => source === "microphone");
    const refuse = (error: unknown) => {
      if (isTalking)
        this.#tell({ type: "voice.notice", message: describeFailure(error).message }, "microphone");
    };
    if (microphones.length === 0) refuse(new Error("Voice is not listening to the microphone."));
    for (const input of microphones) input.talk(isTalking).catch(refuse);
  }

  /**
   * What is said goes into the text box; a sentence that was begun there ends there.
   * @param isTrial it goes nowhere, its last words too, however late they come
   */
  setDictating(isDictating: boolean, isTrial = false): void {
    if (!this.rules) throw new Error("Voice is off.");
    const { noDictation, waitsFor } = this.rules;
    if (isDictating && noDictation !== null) throw new Error(noDictation);
    if (isDictating) this.#isTrial = isTrial;
    this.#step({ type: "dictating", isOn: isDictating });
    // Who dictates does not hold a key.
    if (waitsFor === "key") this.setTalking(isDictating);
  }

  /** Listens by the settings as they are now, whatever it was started with. @throws SttError where the server cannot */
  async adjust(): Promise<void> {
    const { endpointingMs: _, utteranceEndMs: __, ...start } = this.#start;
    this.#start = start;
    const limits = endpointing(start, this.#options.settings());
    await Promise.all(this.#inputs.map((input) => input.update(limits)));
  }

  /** The user's words as they are now. A server that cannot take them over gets them with its next session. */
  async teach(): Promise<void> {
    const words = hotWords(this.#options.settings());
    await Promise.all(this.#inputs.filter((input) => input.canTeach).map((input) => input.update(words)));
  }

  #input(source: SpeechSource): SessionSupervisor {
    const { connect, clock, settings, recordings } = this.#options;
    return new SessionSupervisor({
      source,
      connect: () => connect(serverOf(this.#start, settings()), source),
      startArguments: () => startArguments(this.#start, source, settings(), recordings),
      clock,
    });
  }

  async #follow(input: SessionSupervisor): Promise<void> {
    for await (const event of input) {
      try {
        this.#hear(input.source, event);
      } catch (error) {
        // Such as a conversation that closes in this moment: what comes next may go well.
        this.#options.journal.add({ kind: "problem", text: describeFailure(error).message }, input.source);
      }
    }
  }

  #hear(source: SpeechSource, event: VoiceEvent): void {
    const { router, journal, tell } = this.#options;
    switch (event.type) {
      case "raw":
        tell({ type: "raw", source, event: event.event });
        break;
      case "onset":
        if (isLive(this.#state) && this.rules?.takesBack.includes(source)) router.onset(event);
        break;
      case "partial":
        if (!isLive(this.#state)) break;
        this.#target.emit({ type: "voice.partial", utteranceId: event.utteranceId, text: event.text });
        break;
      case "final":
        this.#finished(event.utterance);
        break;
      case "no_words":
        if (isLive(this.#state) && source === "microphone" && event.signs) router.noWords(event.signs);
        break;
      case "gap":
        this.#tell({ type: "voice.gap", missed: event.missed }, source);
        break;
      case "notice":
        this.#tell({ type: "voice.notice", message: event.message }, source);
        break;
      case "stop_word":
        if (!isLive(this.#state)) break;
        router.stopWord(event.phrase);
        journal.add({ kind: "notice", text: `Heard “${event.phrase}” over the reply` }, source);
        break;
      case "stop_words":
        this.#stopWords = event;
        tell({ type: "panel" });
        break;
      case "aside":
        journal.add({ kind: "notice", text: event.text }, source);
        break;
      case "wake":
        journal.add(
          { kind: "notice", text: event.isAwake ? "Heard the wake phrase" : "Waiting for the wake phrase" },
          source,
        );
    }
    this.#step({ type: "heard", source, event });
  }

  #finished(utterance: Utterance): void {
    const { router, timer, journal, tell } = this.#options;
    const { text, source, confidence } = utterance;
    const isTyped = utterance.noWords !== "sounds" && isDictated(this.#state, source, utterance.id);
    if (isTyped && utterance.corrects !== undefined) {
      // The first words stand in the text box, where the user may have changed them.
      this.#step({ type: "taken", text, isPrompt: false });
      journal.add({ kind: "utterance", text, rule: "too_late", confidence }, source);
      return;
    }
    if (isTyped && !router.endsDictation(utterance, this.#target)) {
      router.dictated(utterance, this.#target);
      this.#step({ type: "taken", text, isPrompt: false });
      journal.add({ kind: "utterance", text, rule: "dictated", confidence }, source);
      const to = { conversationId: this.#target.id, isTrial: this.#isTrial };
      tell({ type: "dictated", text, ...to, isQuick: this.#start.isQuick ?? false });
      return;
    }
    const { meeting } = this;
    const outcome = router.take(
      utterance,
      this.#target,
      meeting && {
        played: meeting.played,
        isTalking: isLive(this.#state) && this.#state.isTalking,
      },
    );
    const { rule, inputId } = outcome;
    const isNew = rule !== "too_late";
    const meant = rule === "stop_word" && utterance.command !== null ? utterance.command : text;
    const isPrompt = isNew && (inputId !== undefined || rule === "steered");
    this.#step({ type: "taken", text: meant, isPrompt });
    if (rule === "noted") {
      this.#note(utterance, outcome);
      return;
    }
    this.#tellUtterance({ ...utterance, text: meant }, utterance, outcome);
    if (isNew && inputId !== undefined) timer.begin(this.#target, inputId, utterance);
  }

  /** Kept before it is shown: what stands in the window outlives the process. */
  #note(utterance: Utterance, outcome: Outcome): void {
    const at = this.#options.clock.now();
    const { id: utteranceId, text, source } = utterance;
    const target = this.#target;
    const times = saidTimes(utterance, at, maxLateLineMs);
    const said = { at: times?.startedAt ?? at, endedAt: times?.endedAt ?? at };
    let lineId: string;
    try {
      lineId = target.noteLine({ who: source === "loopback" ? "them" : "me", text, ...said });
    } catch (error) {
      this.#tellUtterance(utterance, utterance, outcome);
      this.#tell({ type: "error", error: describeFailure(error) }, source);
      return;
    }
    this.#tellUtterance({ ...utterance, line: { id: lineId, ...said } }, utterance, outcome);
    for (const echo of this.meeting?.add({ ...utterance, utteranceId, lineId, target, at }) ?? []) {
      echo.target.forgetLine(echo.lineId);
      const heard = {
        id: echo.utteranceId,
        line: { id: echo.lineId, at: echo.at, endedAt: echo.at },
        text: echo.text,
        source: echo.source,
      };
      this.#tellUtterance(heard, utterance, { rule: "echo", dropped: "echo of what this computer plays" });
    }
  }

  /** @param by the utterance that decided about it */
  #tellUtterance(
    said: Pick<Utterance, "id" | "text" | "source"> &
      Pick<Extract<AgentEventBody, { type: "voice.utterance" }>, "line">,
    by: Utterance,
    outcome: Outcome,
  ): void {
    const { reason, confidence, doubts, readings, audioStartedAt, endMs, finalAt } = by;
    this.#tell(
      {
        type: "voice.utterance",
        utteranceId: said.id,
        text: said.text,
        source: said.source,
        ...(said.line && { line: said.line }),
        reason,
        confidence,
        ...outcome,
        ...(doubts.length > 0 && { heard: doubts }),
        ...(readings.length > 0 && { readings }),
        timing: { audioStartedAt, speechEndMs: endMs, finalAt },
      },
      said.source,
    );
  }

  /** To the conversation, and to whoever looks at voice. */
  #tell(body: AgentEventBody, source: SpeechSource | null): void {
    this.#options.journal.event(body, source);
    this.#target.emit(body);
  }

  #step(event: VoiceStateEvent): void {
    const { state, actions } = stepVoice(this.#state, event);
    this.#state = state;
    for (const action of actions) this.#act(action);
  }

  #act(action: VoiceStateAction): void {
    const { router, tell } = this.#options;
    switch (action.type) {
      case "tell":
        this.#tellNow(action.detail);
        break;
      case "tell_failure":
        this.#tell({ type: "error", error: action.failure }, action.source);
        break;
      case "expect_prompt":
        tell({ type: "expect_prompt" });
        break;
      case "nothing_said":
        router.resume();
    }
  }

  #tellNow(detail: UserError | undefined): void {
    const state = this.#state;
    const { source, isMuted } = statusOf(state, this.#target.id);
    const isDictating = isLive(state) && state.mode === "dictation";
    const { hint } = this;
    this.#tell(
      {
        type: "voice.state",
        state: nameOf(state),
        source,
        ...(isMuted && { isMuted }),
        ...(isDictating && { isDictating }),
        ...(isLive(state) && waitsIn(state) && { isWaiting: true }),
        ...(hint !== null && { talkHint: hint }),
        ...(detail && { detail }),
      },
      null,
    );
    this.#options.tell({ type: "changed" });
  }

  /** What to do to be heard, where nothing is heard before, and how to end it. */
  get hint(): string | null {
    const state = this.#state;
    if (!isLive(state)) return null;
    const { waitsFor } = modeRules[state.startedIn];
    if (waitsFor === "key") return this.#options.keyHint(state.isTalking);
    if (waitsFor === "nothing" || state.isAwake) return null;
    return `Say “${this.#options.settings()["voice.wakePhrase"]}” first.`;
  }
}
