import { type KeyboardEvent, useEffect, useRef } from "react";

/**
 * Keys of a box that offers something for what is typed. Who types faster than that is found still means it: Enter and
 * Tab wait until then, in their order.
 * @param isFinding what will be offered is not known yet
 * @param onKey does what the key means now; returns whether it was for what is offered
 */
export function useHeldKeys(isFinding: boolean, onKey: (event: KeyboardEvent) => boolean) {
  const waiting = useRef<KeyboardEvent[]>([]);
  // After each render: a key that chose something changed what the next one means.
  useEffect(() => {
    if (isFinding) return;
    const next = waiting.current.shift();
    // One that was not for the list sent the text: further ones would send it again.
    if (next && !onKey(next)) waiting.current = [];
  });
  return {
    press: (event: KeyboardEvent) => {
      const isWaiting = isFinding || waiting.current.length > 0;
      if (!isWaiting || !isChoice(event)) return void onKey(event);
      event.preventDefault();
      waiting.current.push(event);
    },
    /** They were for a text that is another one now. */
    drop: () => {
      waiting.current = [];
    },
  };
}

const isChoice = ({ key, shiftKey }: KeyboardEvent): boolean =>
  !shiftKey && (key === "Enter" || key === "Tab");
