import type { AgentEvent, AgentEventBody } from "../../../../shared/conversation/events.ts";
import { applyEvent, type ConversationView, emptyView } from "../../../../shared/conversation/transcript.ts";
import type { IpcRoute, ParleyBridge } from "../../../../shared/ipc/ipc.ts";
import type { IpcPush } from "../../../../shared/ipc/push.ts";

/** A call of the window that waits for its answer, so that a test decides what happens in between. */
interface OpenCall {
  route: IpcRoute;
  input: unknown;
  answer: (value: unknown) => void;
  fail: (reason: unknown) => void;
}

/**
 * The main process as a window sees it: calls stay open until the test answers them, conversations stamp their
 * events as the real ones do.
 */
export class ScriptedMain {
  readonly calls: OpenCall[] = [];
  readonly #listeners = new Set<(push: IpcPush) => void>();
  readonly #views = new Map<string, ConversationView>();

  readonly bridge: ParleyBridge = {
    call: (route, input) =>
      new Promise((answer, fail) => {
        this.calls.push({ route, input, answer: (value) => answer(Object(value)), fail });
      }),
    onPush: (listener) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
  };

  view(conversationId: string): ConversationView {
    return this.#views.get(conversationId) ?? emptyView(conversationId, conversationId);
  }

  /** Something happens in a conversation. @returns its event, not sent to anybody yet */
  emit(conversationId: string, body: AgentEventBody): AgentEvent {
    const view = this.view(conversationId);
    const event: AgentEvent = { ...body, id: view.lastEventId + 1, conversationId, at: 1 };
    this.#views.set(conversationId, applyEvent(view, event));
    return event;
  }

  push(push: IpcPush): void {
    for (const listener of this.#listeners) listener(push);
  }

  /** The oldest call of a route that was not taken yet. @throws Error when the window made none */
  take(route: IpcRoute): OpenCall {
    const index = this.calls.findIndex((call) => call.route === route);
    const [call] = index < 0 ? [] : this.calls.splice(index, 1);
    if (!call)
      throw new Error(`The window did not call ${route}; open: ${this.calls.map((one) => one.route)}`);
    return call;
  }

  /** Answers the oldest open call of a route and lets the window go on. */
  async answer(route: IpcRoute, value?: unknown): Promise<void> {
    this.take(route).answer({ ok: true, value });
    await settled();
  }

  async refuse(route: IpcRoute, message: string): Promise<void> {
    this.take(route).answer({ ok: false, error: { code: "refused", message } });
    await settled();
  }
}

/** Resolves after everything that was already resolved has been reacted to. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}
