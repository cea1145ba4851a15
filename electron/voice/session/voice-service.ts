import type { AgentEvent } from "../../../shared/conversation/events.ts";
import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";
import { noOffers, type SpeechOffers } from "../../../shared/voice/speech-offer.ts";
import type { ListDevicesResult, SttEvent } from "../../../shared/voice/stt.ts";
import { type VoiceSettingKey, voiceSettingsOf } from "../../../shared/voice/voice-settings.ts";
import type {
  RepairOffer,
  RepairTally,
  TurnTimings,
  VoiceSnapshot,
  VoiceTestResult,
} from "../../../shared/voice/voice-snapshot.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import { TurnTimer } from "../routing/turn-timer.ts";
import type { HeardUtterance, SpokenAnswer } from "../routing/utterance-gate.ts";
import {
  noCommands,
  noReplies,
  type SpokenCommands,
  type SpokenReplies,
  UtteranceRouter,
} from "../routing/utterance-router.ts";
import type { VoiceTarget } from "../routing/voice-target.ts";
import { serverOf, settingsOf, startArguments } from "../stt/start-arguments.ts";
import type { SttClient } from "../stt/stt-client.ts";
import { noRepairs, repairLine, withRepair } from "./repair-tally.ts";
import { shownState } from "./shown-state.ts";
import { stopWordsHint } from "./stop-words-hint.ts";
import { VoiceJournal } from "./voice-journal.ts";
import { VoiceSession, type VoiceSessionEvent } from "./voice-session.ts";
import { isLive, off, statusOf, type VoiceStart, type VoiceState, type VoiceStatus } from "./voice-state.ts";
import { testVoice } from "./voice-test.ts";

export interface VoiceServiceOptions {
  /**
   * A client of the speech server, started when it does not run. Called again after it died.
   * @param server undefined: Parley's own @param conversationId where voice is on; null: nowhere
   */
  connect(server: string | undefined, conversationId: string | null): Promise<SttClient>;
  /** The user wants this server to hear: where it was given up, it is to be started again. */
  revive?(server: string, conversationId: string | null): void;
  settings(): Settings;
  clock: Clock;
  replies?: SpokenReplies;
  /** What an utterance says to the approval that waits; nothing, where it is not given. */
  spokenAnswer?(said: HeardUtterance, conversationId: string): SpokenAnswer | null;
  commands?: SpokenCommands;
  /** Before a microphone is opened: the system may have to be asked. @throws where the user has refused it */
  allowMicrophone?(): Promise<void>;
  /** How the user begins to talk by a key, or ends it while they do, in a sentence; null where they need none. */
  keyHint?(isTalking: boolean): string | null;
  /** Whether the user was told, once and for all, that others may have to know of a meeting; nobody is told where it is not given. */
  consent?: { isTold(): boolean; told(): void };
  /** Who mends unclear prompts; nobody, where it is not given. */
  repair?(): RepairOffer;
  /** The folder for recordings, for when the user wants any. */
  recordings?: string;
  /** What would hear and speak better; nothing, where it is not given. */
  offers?(): SpeechOffers;
}

/** What the service tells those who listen to it. */
export type VoiceServiceEvent = Exclude<VoiceSessionEvent, { type: "raw" }>;

/** An event of the speech server as it came. */
export interface ServerEvent {
  source: SpeechSource;
  event: SttEvent;
}

/** How many of them are kept to be looked at. */
export const keptEvents = 500;

/** Said when a meeting is listened to for the first time. */
export const consentNotice =
  "You may have to tell the others that you are transcribing them; in some places they have to agree. The words are kept with this conversation.";

/** Voice of the whole app: at most one session, or a test, at a time, and what outlives it. */
export class VoiceService {
  readonly #options: VoiceServiceOptions;
  readonly #router: UtteranceRouter;
  readonly #timer: TurnTimer;
  readonly #journal: VoiceJournal;
  readonly #listeners = new Set<(news: VoiceServiceEvent) => void>();
  /** The one that listens, or that did so last. */
  #latest: VoiceSession | null = null;
  #events: ServerEvent[] = [];
  #peak: number | null = null;
  #isTesting = false;
  /** Who begins to listen when voice has stopped; null: nobody, or somebody wants it off. */
  #next: symbol | null = null;
  /** What the microphone hears is dropped: also by the session that comes next, where the source is opened anew. */
  #isMuted = false;
  #adopted = Promise.resolve();
  /** The computer's sound is Parley's own for a while. */
  #isLoopbackOwn = false;
  #repairs = noRepairs;

  constructor(options: VoiceServiceOptions) {
    const { settings, clock, replies = noReplies } = options;
    this.#options = options;
    this.#timer = new TurnTimer(clock, () => this.#tell({ type: "panel" }));
    this.#journal = new VoiceJournal(clock, () => this.#tell({ type: "panel" }));
    this.#router = new UtteranceRouter({
      settings: () => settingsOf(this.#latest?.start ?? {}, settings()),
      clock,
      replies,
      spokenAnswer: (said, conversationId) => options.spokenAnswer?.(said, conversationId) ?? null,
      commands: options.commands ?? noCommands,
    });
  }

  /** @returns a function that ends it */
  subscribe(listener: (news: VoiceServiceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  status(): VoiceStatus {
    return statusOf(this.#state, this.#latest?.target.id ?? null);
  }

  /** Voice listens for the quick prompt, whatever its conversation. */
  get isQuick(): boolean {
    return this.#session?.start.isQuick ?? false;
  }

  setQuick(isQuick: boolean): void {
    this.#session?.setQuick(isQuick);
    this.#tell({ type: "panel" });
  }

  get #state(): VoiceState {
    return this.#latest?.state ?? off;
  }

  get #session(): VoiceSession | null {
    return isLive(this.#state) ? this.#latest : null;
  }

  /** Who mends unclear prompts, and what that has taken. */
  get repair(): RepairOffer & RepairTally {
    return { ...(this.#options.repair?.() ?? noRepair), ...this.#repairs };
  }

  /** What a conversation tells, of which voice shows what is its own. */
  hear(event: AgentEvent): void {
    if (event.type !== "voice.repaired") return;
    this.#repairs = withRepair(this.#repairs, event);
    const line = repairLine(event);
    if (line === null) this.#tell({ type: "panel" });
    else this.#journal.add({ kind: "notice", text: line }, null);
  }

  /** How the user talks by a key, in a sentence; null where they need none. */
  get talkHint(): string | null {
    return this.#options.keyHint?.(false) ?? null;
  }

  /** What of the words to stop is not listened for over a reply, in a sentence; null where all are, or voice is off. */
  get stopWordsHint(): string | null {
    const session = this.#session;
    const isUsers = session?.start.source === "microphone" || session?.start.source === "both";
    return session && isUsers ? stopWordsHint(session.stopWords, session.server) : null;
  }

  /** Of the last spoken prompt; null before the first. */
  get turn(): TurnTimings | null {
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
    this.#begin(target, start);
  }

  /** Starts listening, after the end of what is being stopped; where it listens already it goes on. */
  async listen(target: VoiceTarget, start: VoiceStart): Promise<void> {
    if (this.#session && this.#state.kind !== "stopping") return;
    if (await this.#isNextAfterStop()) this.start(target, start);
  }

  /** Stops, to begin again. @returns false where meanwhile somebody else began, is about to, or wants it off */
  async #isNextAfterStop(): Promise<boolean> {
    const mine = Symbol("next");
    this.#next = mine;
    await this.#session?.stop();
    return this.#next === mine && !this.#session;
  }

  #begin(target: VoiceTarget, start: VoiceStart): VoiceSession {
    if (this.#isTesting) throw new Error("The microphone is being tested. Try again in a moment.");
    if (this.#session) {
      throw new Error(`Voice is on already (${this.#session.start.source}). \`/voice stop\` ends it.`);
    }
    const { settings, clock, recordings } = this.#options;
    this.#revive(start, target.id);
    const session = new VoiceSession({
      start,
      target,
      connect: (server, from) => this.#connect(server, from),
      settings,
      clock,
      router: this.#router,
      timer: this.#timer,
      journal: this.#journal,
      recordings,
      keyHint: (isTalking) => this.#options.keyHint?.(isTalking) ?? null,
      isLoopbackOwn: () => this.#isLoopbackOwn,
      tell: (news) => this.#tell(news),
    });
    this.#latest = session;
    this.#isMuted = false;
    session.begin();
    const { consent } = this.#options;
    if (start.source === "both" && consent?.isTold() === false) {
      target.emit({ type: "voice.notice", message: consentNotice });
      consent.told();
    }
    if (this.#isLoopbackOwn) session.hushLoopback();
    return session;
  }

  /**
   * Ends the session: what was being said becomes a last prompt. Resolves when everything was read, or the last words
   * were given up. Without a session it does nothing.
   */
  async stop(): Promise<void> {
    this.#next = null;
    await this.#session?.stop();
  }

  /** A conversation was deleted: where voice listens there, nobody would get its words. */
  async leave(conversationId: string): Promise<void> {
    if (this.#session?.target.id === conversationId) await this.stop();
  }

  /**
   * What the microphone hears goes into the text box until `dictate(target, false)`. Where voice is off it is on for so long.
   * @param isTrial what is heard is shown and goes nowhere
   * @throws Error where voice listens to something else, or elsewhere
   */
  async dictate(target: VoiceTarget, isOn: boolean, isTrial = false): Promise<void> {
    if (!isOn) {
      // Where it is on only for that, the last words still belong to it.
      if (this.#session?.rules?.endsWithDictation) await this.stop();
      else this.#session?.setDictating(false);
      return;
    }
    this.#options.replies?.silence();
    const session =
      this.#session ?? this.#begin(target, { source: "microphone", isHandsFree: true, isDictation: true });
    if (session.target.id !== target.id)
      throw new Error("Voice is on in another conversation. Stop it first.");
    session.setDictating(true, isTrial);
  }

  /**
   * Takes over settings that have changed: what can be, while it listens; for the rest the source is opened anew.
   * @param changed keys of settings, also of others
   * @throws SttError where the server cannot change it while it listens
   */
  adopt(changed: ReadonlySet<string>): Promise<void> {
    const adopted = this.#adopt(changed);
    this.#adopted = adopted;
    const forget = () => {
      if (this.#adopted === adopted) this.#adopted = Promise.resolve();
    };
    adopted.then(forget, forget);
    return adopted;
  }

  /** The settings that have changed last are taken over. @throws SttError where they could not be */
  adopted(): Promise<void> {
    return this.#adopted;
  }

  async #adopt(changed: ReadonlySet<string>): Promise<void> {
    this.#tell({ type: "panel" });
    const session = this.#session;
    if (!session) return;
    if (liveLimits.some((key) => changed.has(key))) await session.adjust();
    if (changed.has("voice.words")) await session.teach();
    if (!ofASession.some((key) => changed.has(key))) return;
    // Whoever stops it wants it off, or begins it anew with these settings.
    if (this.#session !== session || session.state.kind === "stopping") return;
    const isDictating = this.isDictating;
    const { isTrial } = session;
    if (!(await this.#isNextAfterStop())) return;
    const isMuted = this.#isMuted;
    // It may have gone to another conversation meanwhile.
    const next = this.#begin(session.target, session.start);
    if (isMuted) await this.mute(true);
    if (isDictating) next.setDictating(true, isTrial);
  }

  /** What the voice panel shows. */
  snapshot(): VoiceSnapshot {
    const { replies } = this.#options;
    return {
      now: shownState(
        this.#state,
        this.#latest?.target.id ?? "",
        this.#isTesting,
        this.#session?.hint ?? null,
        this.#latest?.isTrial ?? false,
        this.isQuick,
      ),
      speech: replies?.shown() ?? null,
      shortened: replies?.shortened() ?? null,
      answersAloud: replies?.answersAloud() ?? [],
      server: this.#serverInUse,
      turn: this.#timer.last,
      entries: this.#journal.entries,
      repair: this.repair,
      talkHint: this.talkHint,
      stopWordsHint: this.stopWordsHint,
      settings: voiceSettingsOf(this.#options.settings()),
      recordingsFolder: this.#options.recordings ?? "",
      offers: this.#options.offers?.() ?? noOffers,
    };
  }

  /** Carries a running session over to another conversation, whose prompts come from here on. A meeting stays where it is written down. */
  moveTo(target: VoiceTarget): void {
    if (this.#session?.start.source !== "both") this.#session?.moveTo(target);
  }

  /** What is said is dropped until unmuted, the source stays open. @throws Error when voice is off, or cannot */
  async mute(isMuted: boolean): Promise<void> {
    if (!this.#session) throw new Error("Voice is off.");
    await this.#session.mute(isMuted);
    this.#isMuted = isMuted;
  }

  /** What the user is saying is sent without waiting for a pause. @throws Error when voice is off, or cannot */
  async sendNow(): Promise<void> {
    if (!this.#session) throw new Error("Voice is off.");
    await this.#session.sendNow();
  }

  /** While Parley speaks, what the computer plays is Parley: it is not listened to. */
  muteLoopback(isMuted: boolean): void {
    this.#isLoopbackOwn = isMuted;
    this.#session?.hushLoopback();
  }

  /** Push-to-talk: what the microphone hears from now on is a prompt, until it is let go. */
  setTalking(isTalking: boolean): void {
    this.#session?.setTalking(isTalking);
  }

  /** The computer has slept, or was locked away from its devices. */
  wakeUp(): void {
    this.#session?.wakeUp();
  }

  /** The way to talk by a key is another one now. */
  tellKeyHint(): void {
    this.#session?.tellState();
    this.#tell({ type: "panel" });
  }

  /** @throws Error when the words are not remembered any more */
  sendAnyway(droppedId: string): void {
    this.#router.sendAnyway(droppedId);
  }

  /** Listens for a few seconds without sending anything. @throws Error when voice is on */
  async test(): Promise<VoiceTestResult> {
    if (this.#session || this.#isTesting) throw new Error("Voice is on: `/voice stop` first.");
    const { clock, settings } = this.#options;
    this.#isTesting = true;
    this.#peak = null;
    this.#tell({ type: "panel" });
    try {
      const start: VoiceStart = { source: "microphone", isHandsFree: true };
      this.#revive(start, this.status().conversationId);
      return await testVoice({
        connect: () => this.#connect(serverOf(start, settings()), "microphone"),
        startArguments: () => startArguments(start, "microphone", settings()),
        clock,
        peak: () => this.#peak,
      });
    } finally {
      this.#isTesting = false;
      this.#tell({ type: "panel" });
    }
  }

  /** Of the server that listens, or would. @param server another MCP server, by its name @throws SttError */
  async devices(server: string | undefined = this.#serverInUse ?? undefined): Promise<ListDevicesResult> {
    const client = await this.#options.connect(server, this.status().conversationId);
    if (client.canListDevices) return await client.listDevices();
    const who = server === undefined ? "The speech server" : `The speech server ${server}`;
    return { sources: [], capture: [], warning: `${who} does not say which microphones there are.` };
  }

  /** Who hears, or would, where it is not Parley's own server. */
  get #serverInUse(): string | null {
    return this.#session?.server ?? serverOf({ source: "microphone" }, this.#options.settings()) ?? null;
  }

  /** Parley's own speech server, for its models. @throws SttError */
  ownServer(): Promise<SttClient> {
    return this.#options.connect(undefined, null);
  }

  /** What is heard goes into a text box. */
  get isDictating(): boolean {
    const state = this.#state;
    return isLive(state) && state.mode === "dictation";
  }

  #tell(news: VoiceSessionEvent): void {
    if (news.type === "raw") {
      this.#events = [...this.#events.slice(1 - keptEvents), { source: news.source, event: news.event }];
      return;
    }
    for (const listener of this.#listeners) listener(news);
  }

  #revive(start: VoiceStart, conversationId: string | null): void {
    const server = serverOf(start, this.#options.settings());
    if (server !== undefined) this.#options.revive?.(server, conversationId);
  }

  /** For the microphone of this computer: an MCP server has its own. */
  async #connect(server: string | undefined, source: SpeechSource): Promise<SttClient> {
    if (server === undefined && source === "microphone") await this.#options.allowMicrophone?.();
    return await this.#options.connect(server, this.status().conversationId);
  }
}

const noRepair: RepairOffer = { isOn: false, model: null, usualUsd: null };

/** What a session takes over while it listens. */
const liveLimits = [
  "voice.endpointingMs",
  "voice.utteranceEndMs",
  "voice.maxUtteranceMs",
] as const satisfies VoiceSettingKey[];
/** What a session is started with. */
const ofASession = [
  "voice.server",
  "voice.microphone",
  "voice.serverMicrophones",
  "voice.model",
  "voice.language",
  "voice.record",
  "voice.recordKeepDays",
  "voice.pushToTalk",
  "voice.wakePhrase",
  "voice.stopWords",
] as const satisfies VoiceSettingKey[];
