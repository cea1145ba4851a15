import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import { agentEvent } from "../../../shared/conversation/events.ts";
import { type ExitCode, exitCodes, type PromptNews } from "./prompt-output.ts";
import { type PromptRequest, promptRequest } from "./prompt-request.ts";

/** Runs a prompt; `tell` gets what comes of it, its end last. */
export type RunPrompt = (
  request: PromptRequest,
  tell: (news: PromptNews) => void,
  stopped: AbortSignal,
) => Promise<ExitCode>;

/** The longest path that every system lets a socket have, in bytes, with its end. */
const mostPathBytes = 104;
/** The largest prompt with all that may stand beside it, as JSON, which writes six characters for a control character. */
const mostRequestChars = 2_000_000;
const socketName = "prompts.sock";

/** What another start of Parley asks: whether it is the app that runs. */
const startAsks = z.strictObject({ type: z.literal("start") });
const asked = z.union([promptRequest, startAsks]);

const news = z.discriminatedUnion("type", [
  /** The prompt has come over whole: it is not asked again anywhere else. */
  z.object({ type: z.literal("taken") }),
  z.object({ type: z.literal("event"), event: agentEvent }),
  z.object({ type: z.literal("ended"), code: z.enum(exitCodes), said: z.string().nullable() }),
]);
type News = z.infer<typeof news>;

const appRuns = z.strictObject({ type: z.literal("app") });

interface ServePromptsOptions {
  run: RunPrompt;
  /** Not so: prompts of the command line are all that runs here, and it ends with them. */
  isApp: boolean;
  warn(message: string): void;
}

interface ServedPrompts {
  /** So many are being answered. */
  readonly count: number;
  /** Resolves when none is being answered, also none that came meanwhile. */
  answered(): Promise<void>;
  /** Takes no more. */
  end(): void;
}

/**
 * Where an instance of this user and this user-data folder listens: in a folder that only they can enter, and that fenced
 * commands do not see; on Windows a pipe.
 * @returns null: the path would be longer than a socket's can be
 */
export function promptSocket(userData: string): { folder: string | null; path: string } | null {
  if (process.platform === "win32") {
    const name = createHash("sha256").update(userData).digest("hex").slice(0, 16);
    return { folder: null, path: `\\\\.\\pipe\\parley-${name}` };
  }
  const folder = join(userData, "run");
  const path = join(folder, socketName);
  return Buffer.byteLength(path) < mostPathBytes ? { folder, path } : null;
}

/** Takes prompts of the command line, from this user alone: the folder is theirs and closed to others. */
export function servePrompts(userData: string, { run, isApp, warn }: ServePromptsOptions): ServedPrompts {
  const answering = new Set<Promise<void>>();
  const answered = async () => {
    while (answering.size > 0) await Promise.all(answering);
  };
  const served = (end: () => void): ServedPrompts => ({
    get count() {
      return answering.size;
    },
    ...{ answered, end },
  });
  const place = promptSocket(userData);
  if (!place) {
    warn("prompts of the command line cannot be taken: the path of the user-data folder is too long");
    return served(() => {});
  }
  const { folder, path } = place;
  const server = createServer((socket) => {
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const onPrompt = () => {
      const answer = closed.finally(() => answering.delete(answer));
      answering.add(answer);
    };
    serve(socket, { run, isApp, onPrompt });
  });
  server.on("error", (error) => warn(`prompts of the command line cannot be taken: ${error.message}`));
  try {
    if (folder !== null) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (isOurs(folder)) chmodSync(folder, 0o700);
      if (!isClosed(folder)) throw new Error(`${folder} is open to others`);
      // Only one instance has this user-data folder: what is there is left from one that died.
      rmSync(path, { force: true });
    }
    listen(server, path);
  } catch (error) {
    warn(`prompts of the command line cannot be taken: ${String(error)}`);
  }
  return served(() => {
    server.close();
    if (folder !== null) rmSync(path, { force: true });
  });
}

/** The socket is made before `listen` returns, and then with this mode. */
function listen(server: Server, path: string): void {
  const before = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  server.unref();
}

interface ServeOptions extends Pick<ServePromptsOptions, "run" | "isApp"> {
  /** A prompt has come: it is being answered until the socket closes. */
  onPrompt(): void;
}

function serve(socket: Socket, { run, isApp, onPrompt }: ServeOptions): void {
  const stopped = new AbortController();
  // Whoever asked has gone, or pressed Ctrl+C.
  socket.on("close", () => stopped.abort());
  socket.on("error", () => stopped.abort());
  const tell = (told: News | z.infer<typeof appRuns>) => {
    if (socket.writable) socket.write(`${JSON.stringify(told)}\n`);
  };
  const refuse = (said: string) => {
    tell({ type: "ended", code: exitCodes.failed, said });
    // What still comes is read and dropped: whoever is cut off while they write would not read why.
    socket.end();
  };
  let text = "";
  let isAsked = false;
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    if (isAsked) return;
    text += chunk;
    const end = text.indexOf("\n");
    isAsked = end >= 0 || text.length > mostRequestChars;
    if (!isAsked) return;
    const line = end < 0 ? text : text.slice(0, end);
    text = "";
    if (line.length > mostRequestChars) return refuse("The prompt is too long for Parley.");
    const request = askedIn(line);
    if (!request) return refuse("Parley cannot read the prompt: is it of another version?");
    if (!("type" in request)) {
      onPrompt();
      tell({ type: "taken" });
      void run(request, tell, stopped.signal).finally(() => socket.end());
    } else if (isApp) {
      tell({ type: "app" });
      socket.end();
    }
    // Else the end of the socket is the answer: it comes when this process ends.
  });
}

function askedIn(text: string): z.infer<typeof asked> | null {
  try {
    return asked.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Has the instance that runs do it.
 * @returns null: none listens, or it ended before the prompt had come over, or somebody else could be listening
 */
export async function askRunning(
  userData: string,
  request: PromptRequest,
  tell: (news: PromptNews) => void,
  stopped: AbortSignal,
): Promise<ExitCode | null> {
  const socket = await connected(userData);
  if (!socket) return null;
  if (stopped.aborted) socket.destroy();
  stopped.addEventListener("abort", () => socket.destroy());
  socket.write(`${JSON.stringify(request)}\n`);
  let code: ExitCode | null = null;
  let isTaken = false;
  try {
    for await (const line of linesOf(socket)) {
      isTaken = true;
      const { data: told } = news.safeParse(JSON.parse(line));
      // What it does not know is of a newer version, and no reason to lose the answer.
      if (!told || told.type === "taken") continue;
      tell(told);
      if (told.type === "ended") code = told.code;
    }
  } catch {
    // It was cut off: said below.
  }
  if (code !== null) return code;
  if (stopped.aborted) return exitCodes.interrupted;
  if (!isTaken) return null;
  tell({ type: "ended", code: exitCodes.failed, said: "Parley ended before the answer was there." });
  return exitCodes.failed;
}

/**
 * Asks what runs, and where that is prompts of the command line alone, waits until their process ends.
 * @returns null: nobody answers
 */
export async function whatRuns(userData: string): Promise<"app" | "ended prompts" | null> {
  const socket = await connected(userData);
  if (!socket) return null;
  socket.write(`${JSON.stringify({ type: "start" })}\n`);
  try {
    for await (const line of linesOf(socket)) {
      if (appRuns.safeParse(JSON.parse(line)).success) return "app";
    }
  } catch {
    // It was cut off: its process ended.
  }
  return "ended prompts";
}

/** @returns null where none listens, or where somebody else could be listening */
async function connected(userData: string): Promise<Socket | null> {
  const place = promptSocket(userData);
  if (!place) return null;
  const { folder, path } = place;
  if (folder !== null && !isClosed(folder)) return null;
  const socket = connect(path);
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  if (!isConnected) return null;
  socket.on("error", () => {});
  return socket;
}

/** @throws Error where it is cut off, or ended from here */
async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of socket.setEncoding("utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Whether it is a folder of this user's that nobody else can enter. */
function isClosed(folder: string): boolean {
  return isOurs(folder) && (lstatSync(folder).mode & 0o077) === 0;
}

function isOurs(folder: string): boolean {
  try {
    const stats = lstatSync(folder);
    return stats.isDirectory() && stats.uid === process.getuid?.();
  } catch {
    return false;
  }
}
