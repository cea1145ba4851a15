import { z } from "zod";
import { type MessagePortLike, messageData, PortTransport } from "../../shared/port-transport.ts";
import type { SttRest } from "../../shared/voice/stt.ts";
import { windowInputs } from "./audio/audio-inputs.ts";
import { AudioWindow } from "./audio/audio-window.ts";
import { systemClock } from "./clock.ts";
import { serveClient } from "./server.ts";
import { processSessions } from "./session/process-sessions.ts";

/**
 * The server as a utility process of the app. Its parent sends `{type: "mcp"}` with a port for each client,
 * `{type: "audio"}` with the audio window's port, `{type: "rest"}`, which asks whether it may end, and `{type: "quit"}`; it
 * gets the sessions' levels.
 */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: unknown) => void): unknown;
  on(event: "close", listener: () => void): unknown;
}

const parentMessage = z.object({ type: z.enum(["mcp", "audio", "rest", "quit"]) });

/** @param fetch what models are downloaded by @throws Error outside of a utility process */
export function serveUtility(fetch: typeof globalThis.fetch): void {
  const port: unknown = Reflect.get(process, "parentPort");
  if (!isParentPort(port)) throw new Error("This runs as an Electron utility process only; see stdio.ts.");
  const window = new AudioWindow();
  const inputs = windowInputs(window, systemClock);
  const sessions = processSessions(inputs, systemClock, fetch, (level) => port.postMessage(level));
  const quit = () => sessions.stopAll().finally(() => process.exit(0));
  port.on("close", quit);
  port.on("message", (event) => {
    const { type } = parentMessage.parse(messageData(event));
    if (type === "quit") return void quit();
    if (type === "rest") {
      return port.postMessage({ type, mayRest: !sessions.isBusy } satisfies SttRest);
    }
    const given = portOf(event);
    if (type === "audio") return window.attach(given);
    serveClient(sessions, new PortTransport(given)).catch((error: unknown) => console.error(error));
  });
}

/** The port that came with a message. */
function portOf(event: unknown): MessagePortLike {
  const ports = typeof event === "object" && event !== null && "ports" in event ? event.ports : [];
  const port: unknown = Array.isArray(ports) ? ports[0] : undefined;
  if (!isMessagePort(port)) throw new Error("The message came without a port.");
  return port;
}

function isParentPort(value: unknown): value is ParentPort {
  return hasMethods(value, ["postMessage", "on"]);
}

function isMessagePort(value: unknown): value is MessagePortLike {
  return hasMethods(value, ["postMessage", "on", "start", "close"]);
}

function hasMethods(value: unknown, names: string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === "function");
}
