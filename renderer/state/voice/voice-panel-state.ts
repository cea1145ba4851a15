import type { UserError } from "../../../shared/conversation/events.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute } from "../../../shared/ipc/ipc.ts";
import type { OfferKind } from "../../../shared/voice/speech-offer.ts";
import type { ListDevicesResult, SttModel } from "../../../shared/voice/stt.ts";
import type { VoiceSettingKey, VoiceSettings } from "../../../shared/voice/voice-settings.ts";
import type { VoiceTestResult } from "../../../shared/voice/voice-snapshot.ts";
import { Signal } from "../signal.ts";
import { partOf, Store } from "../store.ts";
import {
  type KnownVoice,
  type KnownVoiceAction,
  type KnownVoiceEvent,
  levelOf,
  snapshotOf,
  stepKnownVoice,
} from "./known-voice.ts";

/** Calls a route; what fails is an answer, too. */
type Ask = <R extends IpcRoute>(route: R, input: IpcInput<R>) => Promise<IpcResult<IpcOutput[R]>>;
/** Calls a route for the user; what fails is shown in place of what failed before, and null. */
type Attempt = <R extends IpcRoute>(route: R, input: IpcInput<R>) => Promise<IpcOutput[R] | null>;

export interface VoicePanelStateOptions {
  ask: Ask;
  attempt: Attempt;
  onFailure(error: UserError | null): void;
  /** The conversation that is shown. */
  shownId(): string | undefined;
}

/** While models are being downloaded their progress is asked for so often, in milliseconds. */
const progressMs = 700;

/** What the voice panel shows and does. Nothing is asked of main while nothing of it is in sight: part of it is in the settings, too. */
export class VoicePanelState {
  readonly isOpen = new Store(false);
  readonly #known = new Store<KnownVoice>({ kind: "unknown" });
  /** null until main was asked. */
  readonly snapshot = partOf(this.#known, snapshotOf);
  /** RMS 0–1. On its own, since it changes 15 times a second. */
  readonly level = partOf(this.#known, levelOf);
  readonly devices = new Store<ListDevicesResult | null>(null);
  readonly models = new Store<SttModel[] | null>(null);
  readonly testResult = new Store<VoiceTestResult | null>(null);
  /** Words that were dictated for the text box. */
  readonly dictated = new Signal<string>();
  /** Somebody wants to see what can be said. */
  readonly spokenWanted = new Signal({ waits: true });
  /** Words that a correction has just taught. */
  readonly learned = new Store<readonly string[] | null>(null);
  readonly #options: VoicePanelStateOptions;
  #progress: ReturnType<typeof setTimeout> | undefined;
  #modelWatchers = 0;
  /** Whose devices are listed; undefined: nobody's yet. */
  #listed: string | null | undefined;

  constructor(options: VoicePanelStateOptions) {
    this.#options = options;
    this.snapshot.subscribe(() => {
      const server = this.snapshot.get()?.server;
      const isOther = server !== undefined && this.#listed !== undefined && server !== this.#listed;
      if (isOther && this.isOpen.get()) void this.loadDevices();
    });
  }

  load = (): Promise<void> => this.#act({ type: "ask" });

  /** What main tells, and what the user wants. Done when main has answered whatever it is asked for that. */
  step = async (event: KnownVoiceEvent): Promise<void> => {
    const { state, actions } = stepKnownVoice(this.#known.get(), event);
    this.#known.set(state);
    for (const action of actions) await this.#act(action);
  };

  toggle = (): void => {
    const isOpen = !this.isOpen.get();
    this.isOpen.set(isOpen);
    if (isOpen) void this.loadDevices();
  };

  /** Opens the panel where it tells what can be said. */
  showSpoken = (): void => {
    if (!this.isOpen.get()) this.toggle();
    this.spokenWanted.emit();
  };

  /** Of the server in use. */
  loadDevices = async (): Promise<void> => {
    const server = this.snapshot.get()?.server ?? null;
    // Another server's say nothing of this one, also while it is asked.
    if (this.#listed !== server) this.devices.set(null);
    this.#listed = server;
    const devices = await this.#try("voice.devices", undefined);
    if (devices && this.#listed === server) this.devices.set(devices);
  };

  /** For the server in use; empty: its default one. */
  chooseMicrophone = async (id: string): Promise<void> => {
    const panel = this.snapshot.get();
    const server = panel?.server ?? null;
    if (!panel || server === null) return await this.set("voice.microphone", id);
    const { [server]: _, ...others } = panel.settings["voice.serverMicrophones"];
    await this.set("voice.serverMicrophones", id === "" ? others : { ...others, [server]: id });
  };

  /** The models are in sight: while one is being downloaded, how far that is is asked for again and again. @returns what ends that */
  watchModels = (): (() => void) => {
    this.#modelWatchers++;
    return () => {
      if (--this.#modelWatchers === 0) clearTimeout(this.#progress);
    };
  };

  loadModels = async (): Promise<void> => {
    clearTimeout(this.#progress);
    const models = await this.#try("voice.models", undefined);
    if (!models) {
      // Why was told; nothing comes any more.
      if (this.models.get() === null) this.models.set([]);
      return;
    }
    this.models.set(models);
    const isDownloading = models.some(({ state }) => state === "downloading");
    // Another call may have come to here meanwhile.
    clearTimeout(this.#progress);
    if (isDownloading && this.#modelWatchers > 0) this.#progress = setTimeout(this.loadModels, progressMs);
  };

  /** Begins a download or goes on with one, ends it for now, or takes a model (or what there is of it) off the disk. */
  changeModel = async (action: IpcInput<"voice.model">["action"], model: string): Promise<void> => {
    await this.#try("voice.model", { action, model });
    await this.loadModels();
  };

  pickModel = async (): Promise<void> => {
    const picked = await this.#try("voice.pickModel", undefined);
    if (picked?.folder != null) await this.set("voice.model", picked.folder);
  };

  set = async <K extends VoiceSettingKey>(key: K, value: VoiceSettings[K]): Promise<void> => {
    void this.step({ type: "set", change: { [key]: value } });
    const result = await this.#options.ask("voice.set", { key, value });
    if (result.ok) return;
    this.#options.onFailure(result.error);
    await this.step({ type: "refused" });
  };

  dismissLearned = (): void => this.learned.set(null);

  /** Takes back what was learned last. */
  unlearn = (): void => {
    this.dismissLearned();
    void this.#try("voice.unlearn", undefined);
  };

  test = async (): Promise<void> => {
    this.testResult.set(null);
    const result = await this.#try("voice.test", undefined);
    if (result) this.testResult.set(result);
  };

  /** What the user is saying is sent without waiting for a pause. */
  sendNow = (): void => void this.#try("voice.sendNow", undefined);
  mute = (isMuted: boolean): void => void this.#try("voice.mute", { isMuted });
  /** Asks about a meeting of the shown conversation: the last one where none is named by when it began. */
  askMeeting = (question: IpcInput<"meeting.ask">["question"], meeting?: number): void => {
    const conversationId = this.#options.shownId();
    if (conversationId !== undefined) {
      void this.#try("meeting.ask", { conversationId, question, ...(meeting !== undefined && { meeting }) });
    }
  };
  /** @param meeting the one that the next question is about, by when it began @returns null where that failed, which was said */
  meetingCounts = (
    conversationId: string,
    meeting: number | undefined,
  ): Promise<IpcOutput["meeting.counts"] | null> =>
    this.#try("meeting.counts", { conversationId, ...(meeting !== undefined && { meeting }) });
  /** What would hear or speak better. */
  offer = (kind: OfferKind, action: IpcInput<"voice.offer">["action"]): void =>
    void this.#try("voice.offer", { kind, action });
  openSystemSettings = (): void => void this.#try("voice.openSystemSettings", undefined);

  listenToFile = (): void => {
    const conversationId = this.#options.shownId();
    if (conversationId !== undefined) void this.#try("voice.startFile", { conversationId });
  };

  /** Dictation into the text box of the shown conversation, on or off. */
  toggleDictation = (): void => {
    const conversationId = this.#options.shownId();
    if (conversationId !== undefined) void this.step({ type: "switch_dictation", conversationId });
  };

  async #act(action: KnownVoiceAction): Promise<void> {
    const { attempt } = this.#options;
    switch (action.type) {
      case "start":
        await attempt("voice.start", { conversationId: action.conversationId, source: action.source });
        break;
      case "stop":
        await attempt("voice.stop", undefined);
        break;
      case "dictate":
        await this.#try("voice.dictate", { conversationId: action.conversationId, isOn: action.isOn });
        break;
      case "ask": {
        const voice = await this.#try("voice.snapshot", undefined);
        if (voice) await this.step({ type: "told", voice });
      }
    }
  }

  async #try<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcOutput[R] | null> {
    const result = await this.#options.ask(route, input);
    if (result.ok) return result.value;
    this.#options.onFailure(result.error);
    return null;
  }
}
