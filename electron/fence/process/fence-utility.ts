import { messageData } from "../../../shared/port-transport.ts";
import { type ParentLine, serveFence } from "./fence-server.ts";

// The program of a conversation's fence: a utility process of the app, or a child of Node in tests and benchmarks.
serveFence(parentLine(), () => process.exit(0));

interface ParentPort {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: unknown) => void): unknown;
}

function parentLine(): ParentLine {
  const port: unknown = Reflect.get(process, "parentPort");
  if (isPort(port)) {
    return {
      send: (message) => port.postMessage(message),
      onMessage: (listener) => void port.on("message", (event) => listener(messageData(event))),
    };
  }
  process.once("disconnect", () => process.exit(0));
  return {
    send: (message) => void process.send?.(message),
    onMessage: (listener) => void process.on("message", listener),
  };
}

function isPort(port: unknown): port is ParentPort {
  return typeof port === "object" && port !== null && "postMessage" in port && "on" in port;
}
