import { PassThrough } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { expect, test, vi } from "vitest";
import { StdioTransport } from "../../../../electron/mcp/connection/stdio-transport.ts";
import { InstantClock } from "../../../fakes/clock.ts";

// Bug: after one such message nothing of the server arrived any more, and its end was never noticed.
test("a message that its receiver throws over holds up neither those behind it nor the end", async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const exited = new Promise<never>(() => {});
  const process = { pid: 1, stdin, stdout, stderr, exited, end: async () => {} };
  const transport = new StdioTransport(process, { clock: new InstantClock(), onNoise: () => {} });
  const heard: JSONRPCMessage[] = [];
  const errors: string[] = [];
  transport.onmessage = (message) => {
    heard.push(message);
    if (heard.length === 1) throw new Error("not this one");
  };
  transport.onerror = ({ message }) => errors.push(message);
  transport.onclose = vi.fn<() => void>();
  await transport.start();
  const note = (method: string) => ({ jsonrpc: "2.0" as const, method });
  stdout.end(`${JSON.stringify(note("one"))}\n${JSON.stringify(note("two"))}\n`);
  await vi.waitFor(() => expect(transport.onclose).toHaveBeenCalledOnce());
  expect(heard).toEqual([note("one"), note("two")]);
  expect(errors).toEqual(["not this one"]);
});
