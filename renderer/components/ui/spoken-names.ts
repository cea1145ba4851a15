import { type RefObject, useLayoutEffect } from "react";
import { maxSpokenNameChars, maxSpokenNames, namedBy } from "../../../shared/voice/spoken-names.ts";
import { Store } from "../../state/store.ts";

/** A whole line of commands acts at once, and what nobody can undo was named once already: these are chosen by hand. */
const pressable =
  'button:not(:disabled, [data-by-hand]), [role="option"]:not([data-type="line"]), summary, label:has(> input:not(:disabled))';

interface OpenBox {
  box: HTMLElement;
  byVoice: boolean;
}

/** What is open and may be pressed by saying its name: of the dialog or menu on top alone, where that allows it. */
class SpokenNames {
  /** As they are shown. */
  readonly shown = new Store<readonly string[]>([]);
  #open: readonly OpenBox[] = [];

  /** @param byVoice without it nothing can be pressed for as long as the box is on top @returns what ends it */
  open(box: HTMLElement, byVoice: boolean): () => void {
    const opened = { box, byVoice };
    const watch = new MutationObserver(this.#look);
    if (byVoice)
      watch.observe(box, { subtree: true, childList: true, characterData: true, attributes: true });
    this.#change([...this.#open, opened]);
    return () => {
      watch.disconnect();
      this.#change(this.#open.filter((one) => one !== opened));
    };
  }

  /** What scrolls in the dialog or menu on top; null: none is open. */
  get scroller(): HTMLElement | null {
    const box = this.#open.at(-1)?.box;
    if (!box) return null;
    const all = [box, ...box.querySelectorAll<HTMLElement>("*")];
    const scrolling = all.filter(
      (one) => one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY),
    );
    const areaOf = (one: HTMLElement) => one.clientWidth * one.clientHeight;
    return scrolling.sort((one, other) => areaOf(other) - areaOf(one))[0] ?? box;
  }

  /** Presses what was named. @param words in small letters, without signs @returns false: nothing of that name is there */
  press(words: string): boolean {
    const things = this.#things();
    const meant = things[namedBy(things.map(nameOf), words)];
    meant?.click();
    return meant !== undefined;
  }

  #change(open: readonly OpenBox[]): void {
    this.#open = open;
    this.#look();
  }

  readonly #look = (): void => {
    const names = this.#things().map((one) => nameOf(one).slice(0, maxSpokenNameChars));
    const known = this.shown.get();
    if (names.length !== known.length || names.some((name, at) => name !== known[at])) this.shown.set(names);
  };

  #things(): HTMLElement[] {
    const top = this.#open.at(-1);
    return top?.byVoice ? [...top.box.querySelectorAll<HTMLElement>(pressable)].slice(0, maxSpokenNames) : [];
  }
}

/** Of this page. */
export const spokenNames = new SpokenNames();

/** For every dialog and menu: what lies under it cannot be pressed by its name, and what stands in it only if `byVoice`. */
export function useSpokenNames(box: RefObject<HTMLElement | null>, byVoice: boolean): void {
  useLayoutEffect(() => (box.current ? spokenNames.open(box.current, byVoice) : undefined), [box, byVoice]);
}

/** Its name for those who do not see it; or its words, with a space between those of two elements. */
function nameOf(one: HTMLElement): string {
  const label = one.getAttribute("aria-label");
  if (label) return label;
  const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  const words: string[] = [];
  while (texts.nextNode()) words.push(texts.currentNode.nodeValue ?? "");
  return words.join(" ").trim();
}
