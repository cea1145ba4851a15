import { Component, type RefObject } from "react";
import { rowOf } from "./use-earlier.ts";

interface KeptPlaceProps {
  scroller: RefObject<HTMLElement | null>;
  /** Key of the first row that is drawn. */
  first: string | undefined;
}

/**
 * Keeps what is read where it is when rows come before it. Chromium does so by itself only where somebody has scrolled away from
 * the very start, and not always then. A class: only those are asked right before the page changes.
 */
export class KeptPlace extends Component<KeptPlaceProps> {
  override getSnapshotBeforeUpdate({ first }: KeptPlaceProps): number | null {
    return first === this.props.first ? null : this.#topOf(first);
  }

  override componentDidUpdate({ first }: KeptPlaceProps, _state: unknown, before: number | null): void {
    const box = this.props.scroller.current;
    const now = before === null ? null : this.#topOf(first);
    if (box && before !== null && now !== null) box.scrollTop += now - before;
  }

  override render(): null {
    return null;
  }

  /** In CSS pixels from the top of the window; null: it is not there. */
  #topOf(key: string | undefined): number | null {
    const box = this.props.scroller.current;
    if (!box || key === undefined) return null;
    return rowOf(box, key)?.getBoundingClientRect().top ?? null;
  }
}
