// A real MCP server over stdio that follows a script and breaks rules: `node scripted-mcp-server.mjs SCRIPT`, SCRIPT is JSON:
//   pid: a file that gets the process's number · ignoreEnd: lives on when its input ends, and ignores SIGTERM
//   alone: a file that gets the process's number; it ends with code 4 where the process there still lives
//   child: starts a program of its own that would outlive it · noise: prints to stdout between messages
//   late: a call that was cancelled tells its progress all the same
//   onStart: "exit" (with `code`), "hang", "refuse" (with `error`) · stderr: lines
//   tools: names beside the built-in ones, told as changed by `grow` · list: names in their place, each as often as it stands there
//   properties: what the schema of every tool says of its arguments
//   pageSize: how many tools a page has · onList: "hang", the list of tools never comes
//   list may name "run", which has a shell do what its argument `command` says, and "give", which answers with its argument `result`
//   bom: its output begins with a byte order mark · refuses: methods that it says it has, and does not know
//   nulls: null in place of what it does not have · cursor: the next page of every list, for ever
//   numbers: the next page is a number, and it refuses what is none ("kept"), or what is one ("refused") · noMore: in place of the
//   next page of the last one · bare: lists stand alone in their answers · `relist` makes `listed` what its argument says
//   restless: tells that its tools have changed with each list of them · lists: a file that gets a line with each list of them
//   schema: of every tool's input, in place of an object · deep: how deep the schema of one more tool, `deep`, goes
//   chained: how many references, each to the next, the schema of one more tool, `chained`, leads through
//   many: how many more entries the list of tools has, called `manyName` with a number
//   long: how many characters the description of one more tool, `long`, has
//   listed: more entries of the list of tools, as they are · prompt: the messages of the prompt `greet`, as they are
//   did: a file that gets the name of each tool that is called, with its input where `keepsInput` · error: the message of the JSON-RPC error that `fail` answers with
import { exec, spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const script = JSON.parse(process.argv[2] ?? "{}");
if (script.pid) appendFileSync(script.pid, `${process.pid}\n`);
if (script.alone) {
  try {
    process.kill(Number(readFileSync(script.alone, "utf8")), 0);
    process.exit(4);
  } catch {
    writeFileSync(script.alone, String(process.pid));
  }
}
if (script.child) spawn("sleep", ["1000"], { stdio: "ignore" });
if (script.ignoreEnd) {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1000);
}
for (const line of script.stderr ?? []) process.stderr.write(`${line}\n`);
if (script.onStart === "exit") process.exit(script.code ?? 3);
if (script.bom) process.stdout.write("\uFEFF");

const write = (text) => new Promise((done) => process.stdout.write(text, done));
const send = (message) => {
  const nulls = script.nulls && message.result ? { error: null, method: null } : {};
  return write(`${JSON.stringify({ jsonrpc: "2.0", ...message, ...nulls })}\n`);
};
const text = (words) => ({ content: [{ type: "text", text: words }] });
const open = script.schema ?? { type: "object", properties: script.properties ?? {} };
const none = script.nulls ? null : undefined;
/** A page as it is written: `deep` is too deep for `JSON.stringify`. */
const deepTool = (depth) => {
  const schema = `${'{"type":"object","properties":{"a":'.repeat(depth)}{}${"}}".repeat(depth)}`;
  return `{"name":"deep","inputSchema":${schema}}`;
};
const chained = (count) => ({
  name: "chained",
  inputSchema: {
    $ref: "#/$defs/0",
    $defs: Object.fromEntries(Array.from({ length: count }, (_, at) => [at, { $ref: `#/$defs/${at + 1}` }])),
  },
});
const listing = (key, answer) => (script.bare ? answer[key] : answer);
const names = [
  "echo",
  "big",
  "pieces",
  "noise",
  "exit",
  "hang",
  "not_utf8",
  "progress",
  "grow",
  "environment",
  "roots",
  "ask",
  "burst",
];
let tools = script.list ?? [...names, ...(script.tools ?? [])];
const waiting = new Map();
let asked = 0;
let hanging;
const paced = {};

const request = (method, params) =>
  new Promise((resolve) => {
    const id = `s${++asked}`;
    waiting.set(id, resolve);
    void send({ id, method, params });
  });

const shell = (command) =>
  new Promise((resolve) => exec(command, (_, stdout, stderr) => resolve(stdout + stderr)));

const calls = {
  echo: ({ text: words = "" }) => text(words),
  big: ({ bytes }) => text("x".repeat(bytes)),
  burst: () => text("done"),
  give: ({ result }) => result,
  noise: async () => {
    await write('Server listening on nothing\n{ this is no JSON\n{"jsonrpc":"1.0"}\n\n');
    return text("after the noise");
  },
  exit: () => process.exit(7),
  hang: async (_, meta) => {
    hanging = meta?.progressToken;
    await send({
      method: "notifications/progress",
      params: { progressToken: meta?.progressToken, progress: 1 },
    });
    return await new Promise(() => {});
  },
  // Tells a step, and ends, when another call has it do so.
  paced: (_, meta) => {
    paced.token = meta?.progressToken;
    return new Promise((end) => {
      paced.end = () => end(text("paced"));
    });
  },
  step: async ({ end, message = "step" }) => {
    if (end) paced.end();
    else
      await send({
        method: "notifications/progress",
        params: { progressToken: paced.token, progress: 1, message },
      });
    return text("told");
  },
  progress: async (_, meta) => {
    for (const step of [1, 2]) {
      await send({
        method: "notifications/progress",
        params: { progressToken: meta?.progressToken, progress: step, total: 2, message: `step ${step}` },
      });
    }
    return text("done");
  },
  grow: async () => {
    tools = [...tools, "grown"];
    await send({ method: "notifications/tools/list_changed" });
    return text("grown");
  },
  relist: async ({ listed }) => {
    script.listed = listed;
    await send({ method: "notifications/tools/list_changed" });
    return text("done");
  },
  run: async ({ command }) => text(await shell(command)),
  environment: () => text(JSON.stringify(process.env)),
  roots: async () => text(JSON.stringify((await request("roots/list")).result)),
  // `times`: at once, of which the first answer counts
  ask: async ({ method, params, times = 1 }) => {
    const answers = Array.from({ length: times }, () => request(method, params));
    return text(JSON.stringify(await Promise.race(answers)));
  },
};

async function answer({ id, method, params, result, error }) {
  if (method === undefined) return waiting.get(id)?.({ result, error });
  if (id === undefined) {
    if (method === "notifications/cancelled" && script.cancelled)
      appendFileSync(script.cancelled, "cancelled\n");
    if (method === "notifications/cancelled" && script.late)
      await send({ method: "notifications/progress", params: { progressToken: hanging, progress: 2 } });
    return;
  }
  if (script.refuses?.includes(method))
    return await send({ id, error: { code: -32601, message: "Method not found" } });
  switch (method) {
    case "initialize":
      if (script.onStart === "hang") return;
      if (script.onStart === "refuse")
        return await send({ id, error: { code: -32000, message: script.error } });
      return await send({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: { listChanged: true }, prompts: {}, logging: {} },
          serverInfo: { name: "scripted", version: "1.0.0" },
        },
      });
    case "tools/list": {
      if (script.onList === "hang")
        return await send({ method: "notifications/message", params: { level: "info", data: "listing" } });
      if (script.lists) appendFileSync(script.lists, "list\n");
      if (script.restless) await send({ method: "notifications/tools/list_changed" });
      if (script.deep)
        return await write(
          `{"jsonrpc":"2.0","id":${id},"result":{"tools":[${deepTool(script.deep)},{"name":"echo","inputSchema":{"type":"object"}}]}}\n`,
        );
      const wanted = { kept: "number", refused: "string" }[script.numbers];
      if (wanted && params?.cursor !== undefined && typeof params.cursor !== wanted)
        return await send({ id, error: { code: -32602, message: "Invalid cursor" } });
      const from = script.cursor === undefined ? Number(params?.cursor ?? 0) : 0;
      const until = script.pageSize ? from + script.pageSize : tools.length;
      const more = until < tools.length ? (wanted ? until : String(until)) : script.noMore;
      return await send({
        id,
        result: listing("tools", {
          nextCursor: more ?? script.cursor ?? none,
          tools: [
            ...tools.slice(from, until).map((name) => ({
              name,
              title: none,
              description: `The tool ${name}`,
              inputSchema: open,
              annotations: script.annotations ?? none,
            })),
            ...(script.brokenTool ? [{ name: "broken", inputSchema: "none" }] : []),
            ...Array.from({ length: script.many ?? 0 }, (_, at) => ({
              name: `${script.manyName ?? "t"}${at}`,
            })),
            ...(script.long ? [{ name: "long", description: "x".repeat(script.long) }] : []),
            ...(script.chained ? [chained(script.chained)] : []),
            ...(script.listed ?? []),
          ],
        }),
      });
    }
    case "prompts/list":
      return await send({
        id,
        result: listing("prompts", {
          prompts: [
            { name: "greet", title: none, arguments: [{ name: "who", description: none, required: true }] },
            { name: "bare", arguments: none },
          ].slice(0, script.nulls ? 2 : 1),
        }),
      });
    case "prompts/get":
      return await send({
        id,
        result: listing("messages", {
          messages: script.prompt ?? [
            { role: "user", content: { type: "text", text: `Greet ${params.arguments.who}` } },
          ],
        }),
      });
    case "tools/call": {
      if (script.did)
        appendFileSync(
          script.did,
          `${params.name}${script.keepsInput ? ` ${JSON.stringify(params.arguments)}` : ""}\n`,
        );
      if (script.noise) await write("some noise\n");
      if (params.name === "fail") return await send({ id, error: { code: -32000, message: script.error } });
      if (params.name === "not_utf8") {
        const whole = Buffer.from(
          `${JSON.stringify({ jsonrpc: "2.0", id, result: text("before?after") })}\n`,
        );
        whole[whole.indexOf("?")] = 0xff;
        return await write(whole);
      }
      if (params.name === "pieces") {
        const line = `${JSON.stringify({ jsonrpc: "2.0", id, result: text("grüße in Stücken") })}\n`;
        for (const byte of Buffer.from(line)) await write(Buffer.of(byte));
        return;
      }
      const call = calls[params.name];
      const output = call
        ? await call(params.arguments ?? {}, params._meta)
        : { isError: true, ...text("no such tool") };
      return await send({ id, result: output });
    }
    default:
      return await send({ id, error: { code: -32601, message: "unknown method" } });
  }
}

createInterface({ input: process.stdin }).on("line", (line) => void answer(JSON.parse(line)));
