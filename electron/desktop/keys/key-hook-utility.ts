import { z } from "zod";
import { messageData } from "../../../shared/port-transport.ts";
import { type KeyHookEvent, keyHookRequest } from "./key-hook-protocol.ts";

/**
 * Listens to one key of the whole computer, as a utility process: native code that hooks the keyboard can die, and then
 * this process does. Nothing but whether that key is down leaves it.
 */
interface ParentPort {
  postMessage(event: KeyHookEvent): void;
  on(event: "message", listener: (event: unknown) => void): unknown;
}

const parent: unknown = Reflect.get(process, "parentPort");
if (!isPort(parent)) throw new Error("This runs as an Electron utility process only.");
serve(parent);

function serve(parent: ParentPort): void {
  parent.on("message", (event) => {
    const request = keyHookRequest.parse(messageData(event));
    if (request.type === "quit") process.exit(0);
    watch(parent, request).catch((error: unknown) =>
      parent.postMessage({ type: "failed", message: error instanceof Error ? error.message : String(error) }),
    );
  });
}

/** Names of the keys that count as a modifier, left and right. */
const modifierKeys = {
  Ctrl: ["Ctrl", "CtrlRight"],
  Alt: ["Alt", "AltRight"],
  Shift: ["Shift", "ShiftRight"],
  Meta: ["Meta", "MetaRight"],
} as const;

async function watch(
  parent: ParentPort,
  { key, modifiers }: Extract<z.infer<typeof keyHookRequest>, { type: "watch" }>,
): Promise<void> {
  // Only now: it loads native code, which needs libraries that not every system has.
  const { uIOhook, UiohookKey } = await import("uiohook-napi");
  const codes = z.record(z.string(), z.number()).parse(UiohookKey);
  const code = codes[key];
  if (code === undefined) throw new Error(`The key ${key} is not known.`);
  const isLone = Object.values(modifierKeys).some((names) => names.some((name) => name === key));
  const letsGo = new Set([code, ...modifiers.flatMap((name) => modifierKeys[name].map((one) => codes[one]))]);
  let isDown = false;
  uIOhook.on("keydown", (event) => {
    const held = { Ctrl: event.ctrlKey, Alt: event.altKey, Shift: event.shiftKey, Meta: event.metaKey };
    const fits =
      isLone ||
      z
        .enum(["Ctrl", "Alt", "Shift", "Meta"])
        .options.every((name) => held[name] === modifiers.includes(name));
    // A held key comes again and again.
    if (event.keycode !== code || isDown || !fits) return;
    isDown = true;
    parent.postMessage({ type: "down" });
  });
  uIOhook.on("keyup", (event) => {
    if (!isDown || !letsGo.has(event.keycode)) return;
    isDown = false;
    parent.postMessage({ type: "up" });
  });
  uIOhook.start();
  parent.postMessage({ type: "ready" });
}

function isPort(value: unknown): value is ParentPort {
  return (
    typeof value === "object" && value !== null && typeof Reflect.get(value, "postMessage") === "function"
  );
}
