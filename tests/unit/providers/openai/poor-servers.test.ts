import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type {
  ApiMessage,
  ModelRequest,
  ModelStreamEvent,
  Tool,
} from "../../../../electron/agent/ports/ports.ts";
import { textOf } from "../../../../shared/conversation/messages.ts";
import { type Answer, askedProvider, asks, chatReply, requestFor } from "../../../fakes/asked-provider.ts";
import { images } from "../../../fixtures/images.ts";

/** What servers of Chat Completions do that its documentation does not say: as reports of their users tell it. */

const at = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://server.example/v1" };
const event = (data: unknown) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null) =>
  event({ choices: [{ index: 0, delta, finish_reason }] });
const said = (content: unknown) => chunk({ content });
const done = event("[DONE]");
const stop = chunk({}, "stop");
const works = chatReply({ content: "Done." });

const readFile: Tool = {
  name: "read_file",
  description: "Reads a file.",
  input: z.object({ path: z.string().regex(/^[^\n]+$/), lines: z.number().int().min(1).max(9).optional() }),
  effect: "read",
  run: async () => ({ text: "" }),
};
const ofServer: Tool = {
  ...readFile,
  name: "notes_find",
  inputSchema: { type: "object", properties: { pattern: { type: "string", pattern: "^a" } } },
};

let models = 0;
const newModel = () => `poor-${++models}`;

interface Asked {
  /** What stands there at the end. */
  text: string;
  thinking: string;
  /** What was shown on the way, kind by kind. */
  shown: string[];
  calls: { name: string; input: unknown }[];
  notices: string[];
  failure: unknown;
  bodies: Record<string, unknown>[];
  /** The same model is asked once more. */
  again(messages?: ApiMessage[]): Promise<Asked>;
}

async function ask(
  answers: readonly Answer[],
  more: Partial<ModelRequest> = {},
  messages: ApiMessage[] = [asks("Hello")],
): Promise<Asked> {
  const { provider, bodies } = askedProvider(at, answers, { contextWindow: 32_000 });
  const model = newModel();
  const once = async (sent: ApiMessage[]): Promise<Asked> => {
    let text = "";
    let thinking = "";
    const shown: string[] = [];
    let whole: Extract<ModelStreamEvent, { type: "message" }> | null = null;
    const notices: string[] = [];
    let failure: unknown = null;
    try {
      const request = requestFor(model, sent, { tools: [readFile], ...more });
      for await (const one of provider.stream(request, new AbortController().signal)) {
        if (one.type === "reset") [text, thinking] = ["", ""];
        if (one.type === "text") text += one.text;
        if (one.type === "thinking") thinking += one.text;
        if (one.type !== "message" && one.type !== shown.at(-1)) shown.push(one.type);
        if (one.type === "notice") notices.push(one.text);
        if (one.type === "message") whole = one;
      }
    } catch (error) {
      failure = error;
    }
    const content = whole?.message.content ?? [];
    const calls = content.flatMap((block) =>
      block.type === "tool_use" ? [{ name: block.name, input: block.input }] : [],
    );
    if (whole && calls.length === 0) expect(textOf(content)).toBe(text);
    return { text, thinking, shown, calls, notices, failure, bodies, again: (next = sent) => once(next) };
  };
  return await once(messages);
}

const stream = (...events: string[]): Answer => ({ body: events.join("") });

describe("a reply in another form", () => {
  test.each<[string, Answer, Partial<Asked>]>([
    [
      "content in parts, with thinking in them",
      stream(
        said([{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }]),
        said([{ type: "text", text: "hi" }]),
        said({ type: "text", text: " there" }),
        stop,
      ),
      { text: "hi there", thinking: "hm" },
    ],
    ["an end that only [DONE] says", stream(said("hello"), event({ usage: {} }), done), { text: "hello" }],
    [
      "events without data, and usage of nulls",
      stream(
        "event: ping\ndata:\n\n",
        said("a"),
        event({ choices: [], usage: { prompt_tokens: null } }),
        ": hi\n\n",
        stop,
      ),
      { text: "a" },
    ],
    [
      "fields of other types",
      stream(
        event({ model: 7, choices: [{ delta: { content: "a", tool_calls: "none" }, finish_reason: 0 }] }),
        stop,
      ),
      { text: "a" },
    ],
    [
      "a whole reply although a stream was asked for",
      {
        json: {
          choices: [
            {
              index: 0,
              message: {
                role: "assistant",
                content: "Looking.",
                tool_calls: [
                  { id: "a", type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } },
                ],
              },
              finish_reason: "tool_calls",
            },
          ],
        },
      },
      { text: "Looking.", calls: [{ name: "read_file", input: { path: "a" } }] },
    ],
    ["what comes behind [DONE], which is no part of it", stream(said("a"), done, said("b")), { text: "a" }],
    ["a stream that is called JSON", { body: said("a") + done, type: "application/json" }, { text: "a" }],
    [
      "arguments null",
      stream(call({ name: "read_file", arguments: "null" }), stop),
      { calls: [{ name: "read_file", input: {} }] },
    ],
    [
      "arguments None",
      stream(call({ name: "read_file", arguments: "None" }), stop),
      { calls: [{ name: "read_file", input: {} }] },
    ],
    [
      "arguments that are empty text, as JSON",
      stream(call({ name: "read_file", arguments: '""' }), stop),
      { calls: [{ name: "read_file", input: {} }] },
    ],
    [
      "arguments that are written as text once more",
      stream(call({ name: "read_file", arguments: JSON.stringify('{"path":"a"}') }), stop),
      { calls: [{ name: "read_file", input: { path: "a" } }] },
    ],
    [
      "a call whose second piece has the name null and no id",
      stream(
        call({ name: "read_file", arguments: '{"pa' }, "a"),
        call({ name: "null", arguments: 'th":"x"}' }, ""),
        stop,
      ),
      { calls: [{ name: "read_file", input: { path: "x" } }] },
    ],
    [
      "a call with a new id in each piece",
      stream(
        call({ name: "read_file", arguments: "" }, "a"),
        call({ arguments: '{"path":' }, "b"),
        call({ name: "read_file", arguments: '"x"}' }, "c"),
        call({ arguments: "" }, "d"),
        stop,
      ),
      { calls: [{ name: "read_file", input: { path: "x" } }] },
    ],
    [
      "two calls at one index",
      stream(
        call({ name: "read_file", arguments: '{"path":"a"}' }, "a"),
        call({ name: "read_file", arguments: '{"path":"b"}' }, "b"),
        stop,
      ),
      { calls: ["a", "b"].map((path) => ({ name: "read_file", input: { path } })) },
    ],
  ])("%s: it is read", async (_what, answer, expected) => {
    const { failure, bodies, ...reply } = await ask([answer]);
    expect(failure).toBeNull();
    expect(reply).toMatchObject(expected);
    expect(bodies).toHaveLength(1);
  });

  function call(called: object, id?: string): string {
    return chunk({ tool_calls: [{ index: 0, ...(id !== undefined && { id }), function: called }] });
  }

  test("what ends with an empty finish reason is not whole: it is asked again", async () => {
    const half = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(chunk({ content: "half of it" }, "")));
        controller.error(new TypeError("terminated"));
      },
    });
    const { text, bodies } = await ask([{ body: half }, works]);
    expect(text).toBe("Done.");
    expect(bodies).toHaveLength(2);
  });

  test.each<[string, Answer, string]>([
    [
      "a web page",
      { body: "<!doctype html><p>Hi", type: "text/html" },
      "server.example answered with a web page.",
    ],
    ["JSON of something else", { json: { status: "ok" } }, "answered with something else than a reply"],
    ["an error", { json: { error: { message: "No such thing." } } }, "No such thing."],
    ["an error at the top", { json: { object: "error", message: "Not like this." } }, "Not like this."],
  ])("%s with status 200 is named, and asked for once", async (_what, answer, words) => {
    const { failure, bodies } = await ask([answer]);
    expect(failure).toMatchObject({ message: expect.stringContaining(words) });
    expect(bodies).toHaveLength(1);
  });
});

/** What comes so, in pieces of this many letters; where it is left open it never ends. */
function inPieces(text: string, size: number, left: { isOpen?: boolean; onCancel?(): void } = {}) {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + size));
      else if (!left.isOpen) controller.close();
      at += size;
    },
    cancel: () => left.onCancel?.(),
  });
}

// Bug: what was not called JSON was taken for a stream that was cut, and asked for again and again.
describe("an answer that is called something else than it is", () => {
  const called = ["text/event-stream", "text/plain", "application/octet-stream", "application/json", ""];
  const whole = {
    object: "chat.completion",
    choices: [
      {
        message: {
          content: "data: hi\n\nevent: there",
          tool_calls: [{ id: "a", function: { name: "read_file", arguments: '{"path":"ü"}' } }],
        },
        finish_reason: "tool_calls",
      },
    ],
  };
  const written = [
    JSON.stringify(whole),
    `\uFEFF${JSON.stringify(whole)}`,
    `\r\n\n  ${JSON.stringify(whole)}\n`,
    `\uFEFF\n${JSON.stringify(whole, null, 2)}`,
    JSON.stringify(whole, null, 2).replaceAll("\n", "\r\n"),
  ];

  test.each(called.flatMap((type) => written.map((text) => [type, text] as const)))(
    "a whole reply as %j: %j",
    async (type, text) => {
      for (const size of [1, 7, 100_000]) {
        const { failure, bodies, ...reply } = await ask([{ body: inPieces(text, size), type }]);
        expect(failure).toBeNull();
        expect(reply).toMatchObject({
          text: "data: hi\n\nevent: there",
          calls: [{ name: "read_file", input: { path: "ü" } }],
        });
        expect(bodies).toHaveLength(1);
      }
    },
  );

  test.each(called)("a stream as %j is shown as it comes", async (type) => {
    for (const text of [
      said("a") + stop,
      `\uFEFF\n\n: hi\n\n${said("a")}${done}`,
      `odd line\n${said("a")}${stop}`,
    ])
      for (const size of [1, 100_000])
        expect(await ask([{ body: inPieces(text, size), type }])).toMatchObject({ failure: null, text: "a" });
  });

  // Bug: the last event was lost: an error in it was taken for a connection that was cut, and asked for again.
  test.each<[string, Partial<Asked>]>([
    [`${said("a")}data: [DONE]`, { text: "a", failure: null }],
    [`${said("a")}data: [DONE]\r\n`, { text: "a", failure: null }],
    [
      `event: error\ndata: {"error":{"message":"No such thing.","type":"invalid_request_error"}}\n`,
      { failure: expect.objectContaining({ message: expect.stringContaining("No such thing.") }) },
    ],
    [
      'error: {"message":"No such thing.","type":"invalid_request_error"}',
      { failure: expect.objectContaining({ message: expect.stringContaining("No such thing.") }) },
    ],
  ])("the last event counts without the blank line behind it: %j", async (text, expected) => {
    const { bodies, ...outcome } = await ask([{ body: text }]);
    expect(outcome).toMatchObject(expected);
    expect(bodies).toHaveLength(1);
  });

  test.each([said("a") + said("b").slice(0, -9), `odd line\n${said("a")}`])(
    "a stream without an end is a connection that was cut: %j",
    async (body) => {
      const { failure } = await ask([{ body }]);
      expect(failure).toMatchObject({ code: "network" });
    },
  );

  // Bug: these were taken for the beginning of a stream, and asked for again.
  test.each(["database is locked", "identity unknown\n", "eventually"])("%j is no stream", async (body) => {
    const { failure, bodies } = await ask([{ body }]);
    expect(failure).toMatchObject({ message: expect.stringContaining("something else than a reply") });
    expect(bodies).toHaveLength(1);
  });

  test.each(
    called.flatMap((type): [string, string, string][] => [
      [type, '{"error":{"message":"No such thing."}}', "No such thing."],
      [type, '\n\n{\n  "detail": "Not\\nlike this."\n}\n', "Not\nlike this."],
      [type, "\uFEFF\n<!doctype html>\n<script>\ndata: {\n\nevent: error\n</script>", "with a web page."],
      [type, '{"status":"ok"}', "with something else than a reply."],
      [type, "Ollama is running", "with something else than a reply."],
    ]),
  )("as %j, %j is named, and asked for once", async (type, body, words) => {
    for (const size of [1, 100_000]) {
      const { failure, bodies } = await ask([{ body: inPieces(body, size), type }]);
      expect(failure).toMatchObject({ message: expect.stringContaining(words) });
      expect(bodies).toHaveLength(1);
    }
  });

  test.each(["", "\n\n", ": ping\n\n", "da", 'data: {"choi', "event: ping\ndata:\n\n", said("half")])(
    "%j is a stream that was cut: it is asked again",
    async (begun) => {
      const { text, bodies } = await ask([stream(begun), works]);
      expect(text).toBe("Done.");
      expect(bodies).toHaveLength(2);
    },
  );

  test("an error that says itself that it passes is asked again", async () => {
    const { text, bodies } = await ask([{ json: { error: { code: 429, message: "Later." } } }, works]);
    expect(text).toBe("Done.");
    expect(bodies).toHaveLength(2);
  });
});

// Bug: the reply waited until the connection was closed.
test.each([[said("hello") + stop + done], [said("hello") + done]])(
  "behind [DONE] nothing is waited for: %j",
  async (text) => {
    for (const size of [1, 100_000]) {
      const onCancel = vi.fn();
      const body = inPieces(text, size, { isOpen: true, onCancel });
      expect(await ask([{ body }])).toMatchObject({ failure: null, text: "hello" });
      expect(onCancel).toHaveBeenCalled();
    }
  },
);

describe("an error event", () => {
  // Bug: its words were lost where they were no JSON.
  test.each([
    ["event: error\ndata: The GPU fell off.\n\n", "The GPU fell off."],
    ["event: error\ndata: The GPU\ndata: fell off.\n\n", "The GPU\nfell off."],
    ['event: error\ndata: "The GPU fell off."\n\n', "The GPU fell off."],
    ['event: error\ndata: {"message":"The GPU fell off."}\n\n', "The GPU fell off."],
    ['event: error\ndata: {"reason":"GPU"}\n\n', '{"reason":"GPU"}'],
    ["event: error\ndata:\n\n", "The model broke off."],
    ['error: {"code":500,"message":"The GPU fell off.","type":"server_error"}\n\n', "The GPU fell off."],
  ])("%j is told in its words", async (event, words) => {
    for (const before of ["", said("a")]) {
      const { failure } = await ask([stream(before, event)]);
      expect(failure).toMatchObject({ message: expect.stringContaining(words) });
    }
  });
});

describe("what a server says of an error", () => {
  test.each<[unknown, string]>([
    [
      { object: "error", message: "Unexpected thing", type: "invalid_request_error", code: "3230" },
      "Unexpected thing",
    ],
    [{ detail: "Model not loaded" }, "Model not loaded"],
    [{ detail: [{ loc: ["body", "n"], msg: "field required" }] }, "body.n: field required"],
    [{ errors: ["One.", { message: "Two." }] }, "One.; Two."],
    [[{ error: { code: 400, message: "In a list." } }], "In a list."],
    [
      { statusCode: 400, error: "Bad Request", message: "Not with this model." },
      "Bad Request: Not with this model.",
    ],
    [{ reason: "odd" }, '{"reason":"odd"}'],
  ])("%j is told in its words", async (json, words) => {
    const { failure } = await ask([{ status: 400, json }]);
    expect(failure).toMatchObject({ message: expect.stringContaining(words) });
  });

  // Bug: it was searched for many seconds while the window stood still.
  test("a long code is read in a moment", async () => {
    const code = "encrypted content ".repeat(100_000);
    const { failure } = await ask([{ status: 400, json: { error: { message: "No.", code } } }]);
    expect(failure).toMatchObject({ message: "The request was refused: No." });
  });

  test("text is told as it is", async () => {
    const { failure } = await ask([{ status: 400, body: "Nope, wrong door.", type: "text/plain" }]);
    expect(failure).toMatchObject({ message: expect.stringContaining("Nope, wrong door.") });
  });
});

/** The same text in one piece, in any two, and letter by letter. */
const splits = (text: string): string[][] => [
  [text],
  ...Array.from(text, (_, place) => [text.slice(0, place), text.slice(place)]),
  [...text],
];

async function repliesOf(text: string, more: Partial<ModelRequest> = {}): Promise<Asked[]> {
  return await Promise.all(splits(text).map((pieces) => ask([stream(...pieces.map(said), stop)], more)));
}

describe("thinking in the text", () => {
  test.each([
    ["<think>secret plan</think>Answer.", "secret plan", "Answer."],
    ["\n<think>\nsecret\n</think>\n\nAnswer <b>now</b>.", "secret", "Answer <b>now</b>."],
    ["<thought>a < b</thought>Yes", "a < b", "Yes"],
    ["[THINK]plan[/THINK]Answer", "plan", "Answer"],
    ["<think>never closed", "never closed", ""],
    ["secret plan</think>Answer.", "secret plan", "Answer."],
    ["plan\n</think>\n\nThe tag </think> ends it.", "plan", "The tag </think> ends it."],
    ["<think></think>\n<think>secret</think>Answer.", "secret", "Answer."],
    ["<think>İyi bir plan</think>Evet.", "İyi bir plan", "Evet."],
  ])("%j is thinking, however it comes", async (written, thinking, text) => {
    for (const reply of await repliesOf(written)) {
      expect([reply.thinking.trim(), reply.text]).toEqual([thinking, text]);
    }
  });

  test.each([
    "Use `<think>` and `</think>` around it.",
    "`</think>` closes it.",
    'It ends with "</think>", always.',
    "Between <think> and </think> it thinks.",
    "a < b, and <thinner> is no tag",
  ])("%j only speaks of it", async (text) => {
    for (const reply of await repliesOf(text)) expect([reply.thinking, reply.text]).toEqual(["", text]);
  });

  test("whose end alone is marked is known from then on: nothing of it is shown as text", async () => {
    const first = await ask([
      stream(said("plan</think>One."), stop),
      stream(said("pla"), said("n two</think>Two."), stop),
      stream(said("Three."), stop),
    ]);
    expect([first.thinking, first.text]).toEqual(["plan", "One."]);
    const second = await first.again();
    expect([second.thinking, second.text]).toEqual(["plan two", "Two."]);
    // It did not think.
    const third = await first.again();
    expect([third.thinking, third.text]).toEqual(["", "Three."]);
  });

  // Bug: it was never forgotten: what the model said beside its calls stayed hidden, and calls in the text did not run.
  test.each([
    ["an answer", stream(said("Thr"), said("ee."), stop), { text: "Three.", calls: [] }],
    ["words that stop at a tag's beginning", stream(said("a </thi"), stop), { text: "a </thi" }],
    [
      "words beside a call",
      stream(
        said("Looking."),
        chunk({ tool_calls: [{ index: 0, function: { name: "read_file", arguments: '{"path":"a"}' } }] }),
        stop,
      ),
      { text: "Looking.", calls: [{ name: "read_file", input: { path: "a" } }] },
    ],
    [
      "a call as text",
      stream(said('{"name": "read_file", '), said('"arguments": {"path": "a"}}'), stop),
      { text: "", calls: [{ name: "read_file", input: { path: "a" } }] },
    ],
  ])("whose end is not marked any more, as in %s, is forgotten", async (_what, answer, expected) => {
    const first = await ask([stream(said("plan</think>One."), stop), answer, stream(said("plan"), stop)]);
    expect(await first.again()).toMatchObject({ ...expected, thinking: "", failure: null });
    const events = await first.again();
    expect(events).toMatchObject({ text: "plan", shown: ["text"] });
  });

  test("that the limit cut stays thinking", async () => {
    const first = await ask([
      stream(said("plan</think>One."), stop),
      stream(said("a long plan"), chunk({}, "length")),
      stream(said("plan"), said("</think>Two."), stop),
    ]);
    expect(await first.again()).toMatchObject({ thinking: "a long plan", text: "" });
    expect(await first.again()).toMatchObject({
      thinking: "plan",
      text: "Two.",
      shown: ["thinking", "text"],
    });
  });

  // Bug: what a field of its own gave as thinking was shown as the reply, once a stray end had been seen.
  test("that comes in a field of its own stays thinking, though the text once had a stray end", async () => {
    const first = await ask([
      stream(chunk({ reasoning_content: "plan" }), said("</think>One."), stop),
      stream(chunk({ reasoning_content: "secret" }), said("Two."), stop),
    ]);
    expect([first.thinking, first.text]).toEqual(["plan", "One."]);
    const second = await first.again();
    expect([second.thinking, second.text]).toEqual(["secret", "Two."]);
  });

  test("does not go back to the server", async () => {
    const first = await ask([stream(said("<think>secret</think>Answer."), stop), works]);
    await first.again([
      asks("Hello"),
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "secret", signature: "" },
          { type: "text", text: "Answer." },
        ],
      },
      asks("And?"),
    ]);
    expect(JSON.stringify(first.bodies[1])).not.toContain("secret");
  });
});

describe("a call that is written as text", () => {
  const input = { path: "a.txt" };
  test.each([
    '{"name": "read_file", "arguments": {"path": "a.txt"}}',
    '{"name": "read_file", "parameters": {"path": "a.txt"}}',
    '```json\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n```',
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>',
    '[{"type": "function", "function": {"name": "read_file", "arguments": "{\\"path\\": \\"a.txt\\"}"}}]',
    '<think>Look.</think>{"name": "read_file", "arguments": {"path": "a.txt"}}',
  ])("%j runs, and is never shown", async (written) => {
    for (const reply of await repliesOf(written)) {
      expect(reply).toMatchObject({ text: "", calls: [{ name: "read_file", input }] });
    }
  });

  test("also behind words, which are shown", async () => {
    const call = '<tool_call>{"name": "read_file", "arguments": {"path": "a.txt"}}</tool_call>';
    for (const reply of await repliesOf(`I look at it.\n\n${call}\n${call}`)) {
      const { text, calls } = reply;
      expect(text.trim()).toBe("I look at it.");
      expect(calls).toMatchObject([
        { name: "read_file", input },
        { name: "read_file", input },
      ]);
    }
  });

  test.each([
    "Write `<tool_call>` first, then the JSON.",
    'It sends <tool_call>{"name": "delete_all", "arguments": {}}</tool_call> then.',
    '{"name": "Anna", "age": 3}',
    '{"name": "delete_all", "arguments": {}}',
    '{"name": "read_file"}',
    '{"name": "read_file", "arguments": {"path": "a"}, "and": "more"}',
    'Call {"name": "read_file", "arguments": {"path": "a.txt"}}',
    "```ts\nconst a = 1;\n```",
    "[1] is a footnote.",
  ])("%j stays text", async (text) => {
    for (const reply of await repliesOf(text)) expect(reply).toMatchObject({ text, calls: [] });
  });

  test("with values in tags: they are of the types that the tool wants", async () => {
    const written =
      "<function=read_file>\n<parameter=path>\n7\n</parameter>\n<parameter=lines>\n7\n</parameter>\n</function>";
    const { text, calls } = await ask([stream(said(written), stop)]);
    expect(text).toBe("");
    expect(calls).toEqual([{ name: "read_file", input: { path: "7", lines: 7 } }]);
  });

  test("is text where no tools were offered", async () => {
    const text = '{"name": "read_file", "arguments": {"path": "a.txt"}}';
    expect(await ask([stream(said(text), stop)], { tools: [] })).toMatchObject({ text, calls: [] });
  });
});

describe("what a server refuses is learned from its words", () => {
  const refusal = (message: string, status = 400): Answer => ({ status, json: { error: { message } } });
  /** As a server may say it: with a status, whole with 200, or in a stream. */
  const refusals = (json: unknown): Answer[] => [
    typeof json === "string" ? { status: 422, body: json, type: "text/plain" } : { status: 422, json },
    ...(typeof json === "string" ? [] : [{ json }, stream(event(json))]),
    stream("event: error\n", event(json)),
  ];
  const data = images.png.toString("base64");
  const source = { type: "base64" as const, media_type: "image/png" as const, data };
  const picture: ApiMessage = { role: "user", content: [{ type: "image", source }] };
  const called: ApiMessage[] = [
    asks("Read a."),
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "c1", name: "read_file", input: { path: "a" } }],
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "c1", content: "Seen." }, ...asks("And?").content],
    },
  ];

  test.each([
    ["llama2 does not support tools", 400],
    ["No endpoints found that support tool use.", 404],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400],
    ["tools param requires --jinja flag", 500],
    ["Cannot use tools with stream", 500],
    ["This server does not support tools", 501],
    ["`tool calling` is not supported with this model", 400],
    ["Function call is not supported for this model.", 400],
    ["`tools` is not supported in this model.", 400],
  ])(
    "%j: it is asked without tools, the user is told once, and the history goes in words",
    async (words, status) => {
      const first = await ask([refusal(words, status), works], {}, called);
      expect(first).toMatchObject({
        failure: null,
        text: "Done.",
        notices: [expect.stringContaining("takes no tools")],
      });
      const [, sent] = first.bodies;
      expect(sent).not.toHaveProperty("tools");
      expect(sent?.messages).toEqual([
        { role: "user", content: "Read a." },
        { role: "assistant", content: '[Called read_file with {"path":"a"}.]' },
        { role: "user", content: "[It gave: Seen.]\n\nAnd?" },
      ]);
      expect(await first.again()).toMatchObject({ failure: null, notices: [] });
      expect(first.bodies).toHaveLength(3);
    },
  );

  // Bug: none of these was learned: every prompt failed.
  test.each<[string, unknown]>([
    [
      "OpenAI",
      { error: { message: "Unrecognized request argument supplied: tools", param: null, code: null } },
    ],
    ["Azure", { error: { message: "Unrecognized request arguments supplied: tool_choice, tools" } }],
    [
      "OpenAI",
      { error: { message: "Unknown parameter: 'tools'.", param: "tools", code: "unknown_parameter" } },
    ],
    ["OpenAI", { error: { message: "Not this one.", param: "tools", code: "unsupported_parameter" } }],
    [
      "OpenAI",
      {
        error: { message: "Unsupported parameter: 'parallel_tool_calls' is not supported with this model." },
      },
    ],
    ["an older gateway", { error: { message: "Unrecognized request argument supplied: functions" } }],
    [
      "vLLM",
      {
        object: "error",
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'tools'), 'msg': 'Extra inputs are not permitted', 'input': [{'type': 'function'}]}]",
        type: "BadRequestError",
        code: 400,
      },
    ],
    [
      "vLLM",
      {
        message:
          "[{'loc': ('body', 'tool_choice'), 'msg': 'extra fields not permitted', 'type': 'value_error.extra'}]",
      },
    ],
    [
      "vLLM",
      {
        message:
          "1 validation error for ChatCompletionRequest\ntools\n  Extra inputs are not permitted [type=extra_forbidden, input_value=[{}], input_type=list]",
      },
    ],
    [
      "FastAPI",
      {
        detail: [{ type: "extra_forbidden", loc: ["body", "tools"], msg: "Extra inputs are not permitted" }],
      },
    ],
    [
      "FastAPI",
      { detail: [{ type: "value_error.extra", loc: ["body", "tools"], msg: "extra fields not permitted" }] },
    ],
    ["llama.cpp", { error: { code: 500, message: "Unsupported param: tools", type: "server_error" } }],
    ["LM Studio", { error: "Unrecognized key(s) in object: 'tools', 'tool_choice'" }],
    [
      "text-generation-inference",
      "Failed to deserialize the JSON body into the target type: unknown field `tools`, expected one of `model`, `max_tokens`, `temperature`, `stream_options`, `reasoning_effort` at line 1 column 93",
    ],
    [
      "LiteLLM",
      {
        error: {
          message: "litellm.UnsupportedParamsError: x does not support parameters: ['tools'], for model=y.",
        },
      },
    ],
    ["LiteLLM", { error: { message: "x does not support parameters: {'tools': [{'type': 'function'}]}" } }],
    ["Groq", { error: { message: "'tools' : property 'tools' is unsupported, did you mean 'top_p'?" } }],
    ["Fireworks", { error: { message: "Extra inputs are not permitted, field: 'tools', value: [{}]" } }],
    [
      "xAI",
      { code: "Client specified an invalid argument", error: "Argument not supported on this model: tools" },
    ],
    [
      "Google",
      [
        {
          error: {
            code: 400,
            message: 'Invalid JSON payload received. Unknown name "tools": Cannot find field.',
          },
        },
      ],
    ],
    ["Go", { error: 'json: unknown field "tools"' }],
    [
      "Java",
      { message: 'JSON parse error: Unrecognized field "tools" (class x.Chat), not marked as ignorable' },
    ],
    ["Python", { error: "create() got an unexpected keyword argument 'tools'" }],
    ["JSON Schema", { message: "Additional properties are not allowed ('tools' was unexpected)" }],
    ["Joi", { statusCode: 400, error: "Bad Request", message: '"tools" is not allowed' }],
    ["a gateway", { error: { message: "The `tools` parameter is not supported by this model." } }],
    ["a gateway", { error: { message: "Parameter tools not supported" } }],
    ["a gateway", { error: { message: "Unsupported parameter(s): `functions`" } }],
    ["Ajv", { message: "request must NOT have additional properties: tools" }],
    ["JSON Schema", { message: "Additional properties are not allowed: 'tools'" }],
    ["Marshmallow", '{"tools": ["Unknown field."]}'],
  ])("a request's field for tools, in the words of %s: %j", async (_who, json) => {
    const effort = "low" as const;
    for (const answer of refusals(json)) {
      const first = await ask([answer, works], { effort });
      expect(first).toMatchObject({ failure: null, notices: [expect.stringContaining("takes no tools")] });
      const [whole, { tools, ...without } = {}] = first.bodies;
      expect(tools).toBeUndefined();
      expect(whole).toMatchObject(without);
    }
  });

  test.each([
    "Unknown parameter: 'tools[0].function.strict'.",
    "tools.0.function.strict: Extra inputs are not permitted",
    "[{'type': 'extra_forbidden', 'loc': ('body', 'tools', 0, 'function', 'strict'), 'msg': 'Extra inputs are not permitted'}]",
    "unknown field `stop`, expected one of `model`, `tools`, `functions`",
    "Unsupported parameter: 'top_p' is not supported with tools.",
    "messages.1.tools: Extra inputs are not permitted",
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead.",
    "The following tools are not allowed: read_file",
    "Tools: parameter stop is not supported",
    "Fields not allowed in messages: name",
    "This tool is unknown. Known tools: read_file",
    "Unknown field in the functions of this module",
    "Additional properties are not allowed in tools of kind x",
    "Parallel tool calls are not supported with this model.",
  ])("%j does not say that it takes no tools", async (words) => {
    const first = await ask([refusal(words), works]);
    expect(first.notices).not.toContainEqual(expect.stringContaining("takes no tools"));
    for (const key of ["max_tokens", "temperature"]) expect(first.bodies.at(-1)).toHaveProperty(key);
  });

  // Bug: the tools were gone for as long as Parley ran.
  test.each([
    "This function is not available in your region.",
    "Function calling is not enabled for your account.",
  ])("a refusal that leaving something out does not change teaches nothing: %j", async (words) => {
    const first = await ask([refusal(words), refusal(words), works]);
    expect(first.failure).not.toBeNull();
    expect(first.bodies.map((body) => "tools" in body)).toEqual([true, false]);
    expect(await first.again()).toMatchObject({ failure: null, notices: [] });
    expect(first.bodies.at(-1)).toHaveProperty("tools");
  });

  // Bug: the user was told that the model takes no tools, though it was asked with them.
  test("nor is it told of, where a passing failure is tried again", async () => {
    const fails = refusal("Function calling is not enabled at the moment.", 500);
    const first = await ask([fails, fails, works]);
    expect(first).toMatchObject({ failure: null, notices: [] });
    expect(first.bodies.map((body) => "tools" in body)).toEqual([true, false, true]);
  });

  test.each([
    ["stream_options", "Unrecognized request argument supplied: stream_options"],
    ["stream_options", "Unknown parameter: 'stream_options.include_usage'."],
    ["stream_options", "body.stream_options: Extra inputs are not permitted"],
    [
      "stream_options",
      "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted'}]",
    ],
    [
      "stream_options",
      "unknown field `stream_options`, expected one of `max_tokens`, `tools`, `temperature`",
    ],
    ["stream_options", "Unrecognized key(s) in object: 'stream_options'"],
    ["stream_options", "Unsupported param: stream_options"],
    ["stream_options", "Additional properties are not allowed ('stream_options' was unexpected)"],
    ["stream_options", '"stream_options" is not allowed'],
    ["temperature", "Unsupported value: 'temperature' does not support 0.2 with this model."],
    ["temperature", "unknown field `temperature`, expected one of `max_tokens`, `tools`"],
  ])("%s alone, of %j", async (field, words) => {
    for (const answer of refusals({ error: { message: words } })) {
      const { failure, notices, bodies } = await ask([answer, works]);
      expect([failure, notices]).toEqual([null, []]);
      const { [field]: _, ...without } = bodies[0] ?? {};
      expect(bodies[1]).toEqual(without);
    }
  });

  // Bug: with status 200 none of it was learned.
  test.each<[string, Partial<ModelRequest>]>([
    ["failed to parse grammar", {}],
    ["System role not supported", { system: "Be brief." }],
    ["max_tokens must not exceed 4096", {}],
    ["`reasoning_effort` is not supported", { effort: "low" }],
  ])("also with status 200, whole or as an event: %j", async (words, more) => {
    for (const answer of refusals({ error: { message: words } })) {
      const first = await ask([answer, works], more);
      expect(first).toMatchObject({ failure: null, text: "Done." });
      expect(first.bodies).toHaveLength(2);
      expect(first.bodies[1]).not.toEqual(first.bodies[0]);
      expect(await first.again()).toMatchObject({ failure: null });
      expect(first.bodies[2]).toEqual(first.bodies[1]);
    }
  });

  test("but not once something was said: it is the reply that broke", async () => {
    const broken = stream(said("Half"), event({ error: { message: "Unsupported param: tools" } }));
    const { text, notices, bodies } = await ask([broken, works]);
    expect([text, notices]).toEqual(["Done.", []]);
    expect(bodies[1]).toEqual(bodies[0]);
  });

  test.each([200, 400])("with status %i: a model that sees nothing", async (status) => {
    const answers = [refusal("This model does not support image_url.", status), works];
    const { failure, bodies } = await ask(answers, {}, [picture]);
    expect(failure).toMatchObject({ message: expect.stringContaining("can't take images") });
    expect(bodies).toHaveLength(1);
  });

  test("a schema that it cannot compile is made plain, then that of MCP servers is left out and named", async () => {
    const words = "failed to parse grammar";
    const first = await ask([refusal(words), refusal(words), works], { tools: [readFile, ofServer] });
    expect(first).toMatchObject({ failure: null, notices: [expect.stringContaining("notes_find")] });
    const [whole, plain, left] = first.bodies.map(({ tools }) => JSON.stringify(tools));
    expect(whole).toContain('"pattern":"^a"');
    expect(plain).not.toMatch(/"pattern":"|minimum|maximum/);
    expect(plain).toContain('"properties":{"pattern":{"type":"string"}}');
    expect(left).not.toContain("notes_find");
    expect(left).toContain("read_file");
  });

  // Bug: the tool was lost for as long as the program ran.
  test("not of a call that the model got wrong: the tools stay", async () => {
    const words =
      "tool call validation failed: parameters for tool read_file did not match schema: errors: [missing properties: 'path']";
    const { failure, bodies, again } = await ask([refusal(words), works], { tools: [readFile, ofServer] });
    expect(failure).toMatchObject({ code: "invalid_request" });
    await again();
    expect(bodies).toHaveLength(2);
    expect(bodies[1]?.tools).toEqual(bodies[0]?.tools);
  });

  test.each([
    "Unexpected role 'user' after role 'tool'",
    'Unexpected role "user" after role "tool"',
    "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
  ])("%j: a prompt right after a result gets a word of the model's between", async (words) => {
    const { failure, bodies } = await ask([refusal(words), works], {}, called);
    expect(failure).toBeNull();
    expect(bodies[1]).toHaveProperty("tools");
    const roles = z.array(z.looseObject({ role: z.string() })).parse(bodies[1]?.messages);
    expect(roles.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  });

  // Bug: the user was not told where the next request failed for a passing reason.
  test("what it costs is told although the server is overloaded meanwhile", async () => {
    const { failure, notices } = await ask([refusal("no support tool use"), refusal("Busy.", 503), works]);
    expect([failure, notices]).toEqual([null, [expect.stringContaining("takes no tools")]]);
  });

  // Bug: tools, images and schemas were lost for words of a page's head.
  test.each([404, 500])("a page with status %i teaches nothing", async (status) => {
    const page =
      '<!doctype html>\n<html itemtype="https://schema.org/WebPage"><meta property="og:image" content="tools are not supported">';
    const { again, bodies } = await ask([{ status, body: page, type: "text/html" }], {
      tools: [readFile, ofServer],
    });
    expect(await again([picture])).toMatchObject({
      failure: { message: expect.not.stringContaining("can't take images") },
    });
    expect(bodies.at(-1)?.tools).toEqual(bodies[0]?.tools);
  });

  test.each([
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
    "At least one of the image dimensions exceed max allowed size: 8000 pixels",
    "Image size is too large: 30 MB > 20 MB",
    "cannot identify image file <_io.BytesIO object>",
    "Failed to load image or audio file",
    "Invalid image data",
  ])("%j is said of one image", async (words) => {
    const { failure } = await ask([refusal(words)], {}, [picture]);
    expect(failure).toMatchObject({ message: expect.stringContaining(words) });
  });

  test.each([
    ["Failed to fetch the image's host.", 502],
    ["The image was flagged.", 403],
    ["These images are more than the server takes.", 413],
  ])("%j %i does not say that it takes no images", async (words, status) => {
    const { failure } = await ask([refusal(words, status)], {}, [picture]);
    expect(failure).toMatchObject({ message: expect.not.stringContaining("can't take images") });
  });

  test("short ids, in the words of a template", async () => {
    const words = "Tool call IDs should be alphanumeric strings with length 9!";
    const { failure, bodies } = await ask([refusal(words), works], {}, called);
    expect(failure).toBeNull();
    expect(JSON.stringify(bodies[1])).toMatch(/"tool_call_id":"\w{9}"/);
  });

  test.each([
    "System role not supported",
    "System role isn't supported",
    "'system' role is not supported",
    "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    "Unexpected role 'system'",
    "Only user and assistant roles are supported!",
    "Developer instruction is not enabled for models/gemma-3-27b-it",
  ])("%j: a system prompt goes with the first prompt", async (words) => {
    const { failure, bodies } = await ask([refusal(words), works], { system: "Be brief." });
    expect(failure).toBeNull();
    expect(bodies[1]?.messages).toEqual([{ role: "user", content: "Be brief.\n\nHello" }]);
  });

  test.each([
    [
      "max_tokens is too large: 8192. This model's maximum context length is 8192 tokens and your request has 1192 input tokens (8192 > 8192 - 1192).",
      7000,
    ],
    [
      "This model's maximum context length is 4096 tokens. However, you requested 9096 tokens (904 in the messages, 8192 in the completion).",
      3192,
    ],
    ["`max_tokens` must be less than or equal to `4096`, the maximum value for `max_tokens`", 4096],
    [
      "max_tokens is too large: 8192. This model supports at most 2048 completion tokens, whereas you provided 8192.",
      2048,
    ],
    ["Invalid max_tokens value, the valid range of max_tokens is [1, 4096]", 4096],
    ["max_tokens (8192) exceeds the model's limit (4096)", 4096],
    ["max_tokens must not exceed 4096", 4096],
    [
      "The request has a maxOutputTokens value of 8192 but the supported range is from 1 (inclusive) to 4097 (exclusive).",
      4096,
    ],
    [
      "This endpoint's maximum context length is 9000 tokens. However, you requested about 10192 tokens (1800 of text input, 200 of tool input, 8192 in the output).",
      7000,
    ],
    [
      "This model's maximum context length is 8192 tokens. However, you requested 8192 output tokens and your prompt contains 700 input tokens.",
      7492,
    ],
    [
      "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 5000 `inputs` tokens and 8192 `max_new_tokens`",
      3193,
    ],
  ])("%j: fewer are asked for, at once and from then on", async (words, most) => {
    const first = await ask([refusal(words), works]);
    await first.again();
    expect(first.failure).toBeNull();
    expect(first.bodies.map(({ max_tokens }) => max_tokens)).toEqual([8192, most, most]);
  });

  test("where no room is left for a reply, the prompt is too long", async () => {
    const words =
      "max_tokens is too large: 8192. This model's maximum context length is 8192 tokens and your request has 8000 input tokens.";
    const { failure, bodies } = await ask([refusal(words)]);
    expect(failure).toMatchObject({ code: "context_length" });
    expect(bodies).toHaveLength(1);
  });

  test.each([
    ["maximum prompt length is 131072 but the request contains 537812 tokens", 400],
    ["Your request exceeded model token limit: 262144 (requested: 300000)", 400],
    ["Request too large for model: tokens per minute (TPM): Limit 6000, Requested 9000", 429],
    ["Rate limit reached on tokens: Limit 6000, Used 500, Requested 9000", 429],
    ["Range of input length should be [1, 30720]", 400],
    ["Prompt exceeds max length", 400],
    ["", 413],
  ])("%j %i is a prompt that is too long", async (words, status) => {
    const { failure, bodies } = await ask([refusal(words, status)]);
    expect(failure).toMatchObject({ code: "context_length" });
    expect(bodies).toHaveLength(1);
  });
});

test("what a server says beside a call goes back with it, to that server alone", async () => {
  const extra = { google: { thought_signature: "abc" } };
  const piece = (id: string, more: object) => ({
    tool_calls: [{ index: 0, id, function: { name: "read_file", arguments: '{"path":"a"}' }, ...more }],
  });
  const answer = chatReply(piece("c1", { extra_content: extra }), piece("c2", {}));
  const { provider } = askedProvider(at, [answer]);
  const signal = new AbortController().signal;
  const { content } = await provider.complete(
    requestFor(newModel(), [asks("Go")], { tools: [readFile] }),
    signal,
  );
  const results = content.flatMap((block) =>
    block.type === "tool_use"
      ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "Seen." }]
      : [],
  );
  const history: ApiMessage[] = [
    asks("Go"),
    { role: "assistant", content },
    { role: "user", content: results },
  ];
  const sentTo = async (host: string) => {
    const next = askedProvider({ ...at, OPENAI_BASE_URL: `https://${host}/v1` }, [works]);
    await next.provider.complete(requestFor(newModel(), history, { tools: [readFile] }), signal);
    const messages = z.array(z.looseObject({ tool_calls: z.array(z.looseObject({})).optional() }));
    return messages.parse(next.bodies[0]?.messages)[1]?.tool_calls ?? [];
  };
  const own = await sentTo("server.example");
  expect(own.map(({ extra_content }) => extra_content)).toEqual([extra, undefined]);
  expect(JSON.stringify(await sentTo("other.example"))).not.toContain("thought_signature");
});

// Bug: these took minutes, and the window stood still.
test.each<[string, () => Answer]>([
  [
    "arguments in many pieces",
    () => {
      const pieces = Array.from({ length: 100_000 }, () => piece({ arguments: "a } b " }));
      const begun = piece({ name: "read_file", arguments: '{"path":"' });
      return stream(begun, ...pieces, piece({ arguments: '"}' }), stop);
    },
  ],
  [
    "a call as text with many line breaks",
    () => stream(said(`{"name": "read_file",${"\n".repeat(800_000)}"arguments": {"path":"a"}}`), stop),
  ],
  ["many tags that close", () => stream(said(`<think>a</think>${"</think> ".repeat(120_000)}`), stop)],
])(
  "%s are read in a moment",
  async (_what, answer) => {
    const { failure } = await ask([answer()]);
    expect(failure).toBeNull();
  },
  60_000,
);

function piece(called: object): string {
  return chunk({ tool_calls: [{ index: 0, function: called }] });
}

test("an assistant's message of calls alone has empty text, never null", async () => {
  const messages: ApiMessage[] = [
    asks("Go"),
    { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "read_file", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "Seen." }] },
  ];
  const { bodies } = await ask([works], {}, messages);
  expect(z.array(z.looseObject({})).parse(bodies[0]?.messages)[1]).toMatchObject({ content: "" });
});
