import { createRoot, type Root } from "react-dom/client";
import { MainWindow } from "../../../../renderer/components/window/MainWindow.tsx";
import { WindowProvider } from "../../../../renderer/components/window/window-context.ts";
import { WindowState } from "../../../../renderer/state/window-state.ts";
import type { SessionSummary } from "../../../../shared/conversation/sessions.ts";
import type { ConversationView } from "../../../../shared/conversation/transcript.ts";
import { ScriptedMain } from "../state/scripted-main.ts";
import { layOut } from "./no-layout.ts";
import { act } from "./react-act.ts";

/** The main window in a page without layout, over a main process that a test scripts. */
export class WindowRig {
  readonly main = new ScriptedMain();
  readonly state = new WindowState(this.main.bridge);
  readonly place = document.createElement("div");
  readonly #root: Root = createRoot(this.place);
  readonly #end: () => void;

  constructor() {
    layOut();
    document.body.append(this.place);
    this.#end = this.state.start().end;
  }

  async open(view: Partial<ConversationView> = {}, sessions: SessionSummary[] = []): Promise<void> {
    await act(async () =>
      this.#root.render(
        <WindowProvider value={this.state}>
          <MainWindow />
        </WindowProvider>,
      ),
    );
    await act(() => this.main.answer("conversation.attach", { ...this.main.view("a"), ...view }));
    await act(() => this.main.answer("conversation.list", { sessions, next: null }));
  }

  async dispose(): Promise<void> {
    this.#end();
    await act(async () => this.#root.unmount());
    this.place.remove();
  }

  all = (selector: string): HTMLElement[] => [...this.place.querySelectorAll<HTMLElement>(selector)];

  /** @throws Error when there is none */
  one(selector: string): HTMLElement {
    const found = this.place.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`There is no ${selector}.`);
    return found;
  }

  /** The button that says this. @throws Error when there is none */
  button(label: string, within: ParentNode = this.place): HTMLElement {
    const named = [...within.querySelectorAll<HTMLElement>("button")].find(
      (button) => button.textContent?.trim() === label || button.getAttribute("aria-label") === label,
    );
    if (!named) throw new Error(`There is no button “${label}”.`);
    return named;
  }

  click = (target: HTMLElement) => act(async () => target.click());

  press = (target: Element, key: string) =>
    act(async () => {
      target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    });

  async type(target: HTMLElement, text: string): Promise<void> {
    const prototype = target instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    const set = Object.getOwnPropertyDescriptor(prototype.prototype, "value")?.set;
    await act(async () => {
      set?.call(target, text);
      target.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
}
