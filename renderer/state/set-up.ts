import type { UserError } from "../../shared/conversation/events.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute } from "../../shared/ipc/ipc.ts";
import type { SetUpFacts } from "../../shared/ipc/setting-routes.ts";
import type { KeyMaker, KeyTest } from "../../shared/safety/key-test.ts";
import { keyNames } from "../../shared/safety/secrets.ts";
import { Store } from "./store.ts";

type Ask = <R extends IpcRoute>(route: R, input: IpcInput<R>) => Promise<IpcResult<IpcOutput[R]>>;

/** What became of a key that was typed: a key that works is kept at once. */
export type TriedKey = KeyTest | { ok: false; message: string; hint: string };

/** The first run: what it found, and what its controls do. */
export class SetUp {
  readonly isOpen = new Store(false);
  /** null until main has looked. */
  readonly facts = new Store<SetUpFacts | null>(null);
  /** What the microphone understood since the sheet was opened. */
  readonly heard = new Store("");
  readonly #ask: Ask;
  /** The conversation whose microphone is open for the sheet. */
  #listensIn: string | null = null;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  open = (): void => {
    this.heard.set("");
    this.isOpen.set(true);
    void this.look();
  };

  /** It was done or skipped: it comes no more by itself. */
  end = (): void => {
    if (!this.isOpen.get()) return;
    this.isOpen.set(false);
    void this.stopListening();
    void this.#ask("setUp.end", undefined);
  };

  /** Looks for a model server, and where keys are kept. */
  look = async (): Promise<void> => {
    const answer = await this.#ask("setUp.look", undefined);
    if (answer.ok) this.facts.set(answer.value);
  };

  /** Tries a key with one small request, and keeps it where it works. */
  tryKey = async (maker: KeyMaker, key: string, isWeakAccepted: boolean): Promise<TriedKey> => {
    const tested = await this.#ask("key.test", { maker, key });
    if (!tested.ok) return asTried(tested.error);
    if (!tested.value.ok) return tested.value;
    const kept = await this.#ask("key.set", { variable: keyNames[maker], key, isWeakAccepted });
    return kept.ok ? tested.value : asTried(kept.error);
  };

  /** @returns what went wrong, or null */
  takeServer = async (id: string): Promise<UserError | null> => {
    const answer = await this.#ask("model.server", { id, isAgreed: true });
    return answer.ok ? null : answer.error;
  };

  /** What the microphone hears is shown in the sheet and sent nowhere. @returns what went wrong, or null */
  listen = async (conversationId: string): Promise<UserError | null> => {
    this.heard.set("");
    this.#listensIn = conversationId;
    const answer = await this.#ask("voice.dictate", { conversationId, isOn: true, isTrial: true });
    return answer.ok ? null : answer.error;
  };

  stopListening = async (): Promise<void> => {
    const conversationId = this.#listensIn;
    if (conversationId === null) return;
    this.#listensIn = null;
    await this.#ask("voice.dictate", { conversationId, isOn: false });
  };

  /** Words of the trial. */
  hear = (text: string): void => {
    this.heard.set(`${this.heard.get()} ${text}`.trim());
  };
}

const asTried = ({ message, hint }: UserError): TriedKey => ({ ok: false, message, hint: hint ?? "" });

/** Whose key it is, by its form; null: it has none that is known. */
export function makerOfKey(key: string): KeyMaker | null {
  if (/^sk-ant-/.test(key)) return "anthropic";
  if (/^AIza/.test(key)) return "gemini";
  return /^sk-/.test(key) ? "openai" : null;
}
