import { SandboxManager, type SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";
import { fenceShell } from "../command-text.ts";
import { endAll, watchBounds } from "../watch/bounds.ts";
import { watchHeld, whyReplaced } from "../watch/held-files.ts";
import { starterVariable } from "./launchers.ts";
import { type FenceAnswer, type FenceRequest, fenceRequest } from "./protocol.ts";

/** The way to Parley. */
export interface ParentLine {
  send(message: FenceAnswer): void;
  onMessage(listener: (message: unknown) => void): void;
}

type Start = Extract<FenceRequest, { type: "start" }>;
type Wrap = Extract<FenceRequest, { type: "wrap" }>;

/**
 * Wraps commands and runs the proxies of one conversation. The library that does it keeps its state in one place a
 * process, takes every connection for its own, and protects the folder that its process stands in: hence a process each.
 */
export function serveFence(line: ParentLine, quit: () => void): void {
  const asked = new Map<number, (answer: { allowed: boolean; why: string }) => void>();
  const watched = new Map<number, () => void>();
  let nextAsk = 1;
  /** Settled with what was started. */
  let started: Promise<unknown> = Promise.resolve();

  const ask = async (host: string, port: number) => {
    const id = nextAsk++;
    const answer = new Promise<{ allowed: boolean; why: string }>((resolve) => asked.set(id, resolve));
    line.send({ type: "ask", id, host, port });
    const { allowed, why } = await answer;
    return allowed ? true : { allow: false as const, reason: why };
  };

  const handle = async (request: FenceRequest): Promise<void> => {
    if (request.type === "start") {
      started = start(request, ask);
      await started;
      line.send({ type: "ready" });
    } else if (request.type === "wrap")
      line.send({ type: "wrapped", id: request.id, text: await wrap(request) });
    else if (request.type === "watch") {
      watched.set(request.id, watchCommand(request, line));
    } else if (request.type === "ended") {
      const { id, commandId } = request;
      watched.get(id)?.();
      watched.delete(id);
      const store = SandboxManager.getSandboxViolationStore();
      const lines = store.getViolationsForCommand(commandId).map((violation) => violation.line);
      SandboxManager.cleanupAfterCommand();
      line.send({ type: "over", id, lines });
    } else if (request.type === "answer") {
      asked.get(request.id)?.(request);
      asked.delete(request.id);
    } else {
      // What is being started is not known to the library yet, so it would stay.
      await started.catch(() => {});
      await SandboxManager.reset();
      quit();
    }
  };

  line.onMessage((message) => {
    const request = fenceRequest.parse(message);
    handle(request).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      line.send("id" in request ? { type: "refused", id: request.id, message: text } : failed(text));
    });
  });
}

type Watch = Extract<FenceRequest, { type: "watch" }>;

/** @returns what ends the watch */
function watchCommand({ id, held, folder, ...bounds }: Watch, line: ParentLine): () => void {
  const tell = (why: string) => line.send({ type: "beyond", id, why });
  const endBounds = watchBounds(bounds, tell);
  const endHeld = watchHeld(held, (path) => {
    endAll(bounds.pid);
    tell(whyReplaced(path, folder));
  });
  return () => {
    endBounds();
    endHeld();
  };
}

const failed = (message: string): FenceAnswer => ({ type: "failed", message });

async function start(
  {
    bwrapPath,
    socatPath,
    tiedSocatPath,
    seccompPath,
    javaAgentPath,
    blocksSockets,
    deniedAddresses,
    proxy,
  }: Start,
  ask: (host: string, port: number) => Promise<true | { allow: false; reason: string }>,
): Promise<void> {
  const config: SandboxRuntimeConfig = {
    network: {
      // Every host is asked for: what was allowed is known to Parley, not here.
      allowedDomains: [],
      deniedDomains: [],
      deniedResolvedAddresses: deniedAddresses,
      allowAllUnixSockets: !blocksSockets,
      ...(proxy !== null && { parentProxy: { http: proxy, https: proxy, noProxy: "" } }),
    },
    // Of each command there are lists of its own; without them nothing can be read or written.
    filesystem: { denyRead: ["/"], allowRead: [], allowWrite: [], denyWrite: [] },
    // The library looks through the folder of this process for what it protects by itself. That is an empty folder, which
    // no command sees: Parley's lists name all that is protected. So what looks through it finds nothing, quickly.
    ripgrep: { command: "/bin/sh", args: ["-c", ":"] },
    ...(seccompPath !== null && { seccomp: { applyPath: seccompPath } }),
    ...(javaAgentPath !== null && { javaAgentJarPath: javaAgentPath }),
    ...(bwrapPath !== null && { bwrapPath }),
    ...(tiedSocatPath !== null && { socatPath: tiedSocatPath }),
  };
  process.env[starterVariable] = String(process.pid);
  await SandboxManager.initialize(config, ({ host, port }) => ask(host, port ?? 0));
  // Only the one that was started now stands outside of a fence.
  if (socatPath !== null) SandboxManager.updateConfig({ ...config, socatPath });
}

async function wrap({
  command,
  commandId,
  allowRead,
  denyRead,
  allowWrite,
  denyWrite,
}: Wrap): Promise<string> {
  const literal = (path: string) => ({ path, literal: true as const });
  // The way to the proxies lies in a folder that is hidden like any other.
  const sockets = [SandboxManager.getLinuxHttpSocketPath(), SandboxManager.getLinuxSocksSocketPath()];
  const seen = [...allowRead, ...sockets.filter((path) => path !== undefined)];
  return await SandboxManager.wrapWithSandbox(
    command,
    fenceShell(process.platform).path,
    {
      filesystem: {
        denyRead: denyRead.map(literal),
        allowRead: seen.map(literal),
        allowWrite: allowWrite.map(literal),
        denyWrite: denyWrite.map(literal),
      },
    },
    undefined,
    { commandId, commandText: "command" },
  );
}
