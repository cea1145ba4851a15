import { type MouseEvent, type PointerEvent, useRef } from "react";

/** A press that lasts longer is a hold: letting go ends it. In milliseconds. */
export const holdMs = 350;

/** A microphone button to press (on, and off again) or to hold while one speaks. */
export function useTalkButton(isOn: boolean, listen: (move: "start" | "stop") => Promise<void>) {
  const began = useRef<number | null>(null);
  /** Moves follow each other: one that ends waits for the one that began. */
  const last = useRef<Promise<void>>(Promise.resolve());
  const move = (what: "start" | "stop") => {
    last.current = last.current.then(() => listen(what));
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      began.current = isOn ? null : event.timeStamp;
      if (!isOn) move("start");
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      const isHeld = began.current !== null && event.timeStamp - began.current >= holdMs;
      if (began.current === null || isHeld) move("stop");
      began.current = null;
    },
    onPointerCancel: () => {
      if (began.current !== null) move("stop");
      began.current = null;
    },
    /** By keyboard. */
    onClick: (event: MouseEvent) => {
      if (event.detail === 0) move(isOn ? "stop" : "start");
    },
  };
}
