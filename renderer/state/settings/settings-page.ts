import type { UserError } from "../../../shared/conversation/events.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute } from "../../../shared/ipc/ipc.ts";
import type { KeyState, ModelList } from "../../../shared/ipc/model-routes.ts";
import type { AboutInfo, BackupInfo, DataInfo } from "../../../shared/ipc/setting-routes.ts";
import type { KeyMaker, KeyTest } from "../../../shared/safety/key-test.ts";
import type { WrittenRule } from "../../../shared/safety/permissions.ts";
import type { SettingKey, SettingValues } from "../../../shared/settings.ts";
import type { SettingSection } from "../../../shared/settings-texts/groups.ts";
import { Store } from "../store.ts";
import { isDefault } from "./setting-control.ts";

type Ask = <R extends IpcRoute>(route: R, input: IpcInput<R>) => Promise<IpcResult<IpcOutput[R]>>;

/** What was typed for a setting and cannot be kept as it is, and why; it stays until it is corrected or taken back. */
interface SettingDraft {
  text: string;
  why: string | null;
}

/** What came of asking for a maker's models. */
export type MakerModels = "asking" | { names: string[] | null } | UserError;

/** What the settings page shows and does. Main is asked only while it is open, but for the values. */
export class SettingsPageState {
  readonly isOpen = new Store(false);
  readonly section = new Store<SettingSection>("general");
  readonly words = new Store("");
  readonly values = new Store<SettingValues | null>(null);
  readonly drafts = new Store<Readonly<Partial<Record<SettingKey, SettingDraft>>>>({});
  readonly keys = new Store<readonly KeyState[]>([]);
  readonly tests = new Store<Readonly<Partial<Record<KeyMaker, KeyTest | "testing">>>>({});
  readonly models = new Store<Readonly<Partial<Record<KeyMaker, MakerModels>>>>({});
  /** Who could answer in new conversations; null: not asked yet, or not answered. */
  readonly newModels = new Store<ModelList | null>(null);
  readonly data = new Store<DataInfo | null>(null);
  readonly about = new Store<AboutInfo | null>(null);
  readonly trusted = new Store<readonly string[]>([]);
  /** What the last action came to that has no field of its own. */
  readonly failure = new Store<UserError | null>(null);
  readonly exported = new Store<{ path: string; count: number } | null>(null);
  readonly backedUp = new Store<{ path: string; count: number } | null>(null);
  /** A back-up that was chosen, and is whole. */
  readonly backup = new Store<BackupInfo | null>(null);
  readonly #ask: Ask;
  /** An answer that a later question overtook says nothing. */
  #asked = 0;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  open = (section?: SettingSection): void => {
    if (section) this.section.set(section);
    this.failure.set(null);
    this.isOpen.set(true);
    void this.load();
  };

  close = (): void => {
    this.isOpen.set(false);
    this.words.set("");
    this.exported.set(null);
    this.backedUp.set(null);
    this.backup.set(null);
  };

  show = (section: SettingSection): void => {
    this.words.set("");
    this.section.set(section);
  };

  /** Called after every change in main, whoever made it. */
  load = async (): Promise<void> => {
    if (!this.isOpen.get()) return;
    const [keys, trusted] = await Promise.all([
      this.#ask("key.list", undefined),
      this.#ask("trust.list", undefined),
      this.loadValues(),
    ]);
    if (keys.ok) this.keys.set(keys.value);
    if (trusted.ok) this.trusted.set(trusted.value.paths);
  };

  loadValues = async (): Promise<void> => {
    const values = await this.#ask("setting.list", undefined);
    if (values.ok) this.values.set(values.value);
    else this.failure.set(values.error);
  };

  /** Shown at once; what main refuses is taken back. @param value undefined: the default counts @returns why it was not kept; null: it was */
  change = async (key: SettingKey, value: unknown): Promise<string | null> => {
    const answer = await (value === undefined || isDefault(key, value)
      ? this.#ask("setting.reset", { key })
      : this.#ask("setting.change", { key, value }));
    if (answer.ok) this.draft(key, null);
    await this.load();
    return answer.ok ? null : answer.error.message;
  };

  /** @returns why it was not added; null: it was */
  addRule = async (rule: WrittenRule): Promise<string | null> => {
    const answer = await this.#ask("permission.add", rule);
    await this.load();
    return answer.ok ? null : answer.error.message;
  };

  restart = (): Promise<boolean> => this.#do("app.restart", undefined);

  draft = (key: SettingKey, draft: SettingDraft | null): void => {
    const { [key]: _, ...others } = this.drafts.get();
    this.drafts.set(draft ? { ...others, [key]: draft } : others);
  };

  test = async (maker: KeyMaker): Promise<void> => {
    this.tests.set({ ...this.tests.get(), [maker]: "testing" });
    const answer = await this.#ask("key.test", { maker });
    const { [maker]: _, ...others } = this.tests.get();
    this.tests.set(answer.ok ? { ...others, [maker]: answer.value } : others);
    if (!answer.ok) this.failure.set(answer.error);
  };

  removeKey = async (maker: KeyMaker): Promise<void> => {
    const { [maker]: _, ...others } = this.tests.get();
    this.tests.set(others);
    await this.#do("key.remove", { maker });
  };

  listModels = async (maker: KeyMaker): Promise<void> => {
    this.models.set({ ...this.models.get(), [maker]: "asking" });
    const answer = await this.#ask("key.models", { maker });
    this.models.set({ ...this.models.get(), [maker]: answer.ok ? answer.value : answer.error });
  };

  /** Asks the provider that the settings choose. */
  loadNewModels = async (): Promise<void> => {
    const asked = ++this.#asked;
    this.newModels.set(null);
    const answer = await this.#ask("model.list", {});
    if (asked !== this.#asked) return;
    if (answer.ok) this.newModels.set(answer.value);
    else this.failure.set(answer.error);
  };

  forgetTrust = (path: string): Promise<boolean> => this.#do("trust.forget", { path });

  /** Binds the quick prompt's shortcut in the desktop's settings. @returns what there is to know then; null: it failed */
  bindShortcut = async (): Promise<string | null> => {
    const answer = await this.#ask("quick.bindShortcut", undefined);
    if (!answer.ok) this.failure.set(answer.error);
    return answer.ok ? answer.value.said : null;
  };

  openPlace = (what: IpcInput<"data.open">["what"]): Promise<boolean> => this.#do("data.open", { what });

  loadData = async (): Promise<void> => {
    const answer = await this.#ask("data.info", undefined);
    if (answer.ok) this.data.set(answer.value);
    else this.failure.set(answer.error);
  };

  loadAbout = async (): Promise<void> => {
    const answer = await this.#ask("about.info", undefined);
    if (answer.ok) this.about.set(answer.value);
    else this.failure.set(answer.error);
  };

  exportAll = async (): Promise<void> => {
    this.failure.set(null);
    const answer = await this.#ask("data.exportAll", undefined);
    if (!answer.ok) this.failure.set(answer.error);
    else if (answer.value.path !== null)
      this.exported.set({ path: answer.value.path, count: answer.value.count });
  };

  backUp = async (withCheckpoints: boolean): Promise<void> => {
    this.failure.set(null);
    this.backedUp.set(null);
    const answer = await this.#ask("data.backUp", { withCheckpoints });
    if (!answer.ok) this.failure.set(answer.error);
    else if (answer.value.path !== null)
      this.backedUp.set({ path: answer.value.path, count: answer.value.count });
  };

  chooseBackup = async (): Promise<void> => {
    this.failure.set(null);
    this.backup.set(null);
    const answer = await this.#ask("data.chooseBackup", undefined);
    if (answer.ok) this.backup.set(answer.value);
    else this.failure.set(answer.error);
  };

  restore = (withSettings: boolean): Promise<boolean> => this.#do("data.restore", { withSettings });

  deleteAll = (word: "delete"): Promise<boolean> => this.#do("data.deleteAll", { word });

  async #do<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<boolean> {
    this.failure.set(null);
    const answer = await this.#ask(route, input);
    if (!answer.ok) this.failure.set(answer.error);
    await this.load();
    return answer.ok;
  }
}
