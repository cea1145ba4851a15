import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SaidText } from "../../../../electron/providers/openai/said-text.ts";
import { ReplyBuilder } from "../../../../electron/providers/reply-builder.ts";
import type { ToolSchema } from "../../../../electron/providers/tool-schema.ts";

/** Calls in the forms that models write where their server does not know them: as their chat templates have it. */

const read: ToolSchema = { type: "object", properties: { path: { type: "string" } } };
const edit: ToolSchema = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer" },
    ratio: { type: ["number", "null"] },
    all: { type: "boolean" },
    list: { type: "array", items: { type: "string" } },
    at: { anyOf: [{ $ref: "#/$defs/point" }, { type: "null" }] },
    either: { oneOf: [{ type: "string" }, { type: "integer" }] },
    mode: { enum: ["1", "2"] },
  },
};
const tools = new Map([
  ["read_file", read],
  ["edit", edit],
  ["list", { type: "object" as const, properties: {} }],
]);

interface Said {
  text: string;
  calls: { name: string; input: unknown }[];
}

function said(pieces: readonly string[], how = { isCut: false, hasCalls: false }): Said {
  let ids = 0;
  const reply = new ReplyBuilder([], () => `n${++ids}`);
  const text = new SaidText(reply, { tools, thinksFirst: false, onThinksFirst: () => undefined });
  let shown = "";
  const show = (events: ReturnType<SaidText["add"]>) => {
    for (const event of events) {
      if (event.type === "reset") shown = "";
      if (event.type === "text") shown += event.text;
    }
  };
  for (const piece of pieces) show(text.add(piece));
  show(text.end(how));
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const end = reply.finish("end_turn", usage, "m");
  if (end.type !== "message") throw new Error("There is no message.");
  const calls = end.message.content.flatMap((block) =>
    block.type === "tool_use" ? [{ name: block.name, input: block.input }] : [],
  );
  return { text: shown, calls };
}

/** In one piece, in any two, and letter by letter: always the same. */
function saidHowever(text: string): Said {
  const whole = said([text]);
  for (let at = 1; at < text.length; at++) {
    expect(said([text.slice(0, at), text.slice(at)])).toEqual(whole);
  }
  expect(said([...text])).toEqual(whole);
  return whole;
}

const a = { name: "read_file", input: { path: "a.txt" } };
const b = { name: "read_file", input: { path: "b.txt" } };
const json = (path: string) => `{"name": "read_file", "arguments": {"path": "${path}"}}`;
const args = '{"path": "a.txt"}';
const writing = (text: string) => `<function=edit>\n<parameter=text>\n${text}\n</parameter>\n</function>`;
const qwen = (path: string) => `<function=read_file>\n<parameter=path>\n${path}\n</parameter>\n</function>`;

test.each<[string, string, Said["calls"]]>([
  ["Qwen3-Coder", `<tool_call>\n${qwen("a.txt")}\n</tool_call>`, [a]],
  ["Qwen3-Coder, without what stands around it", qwen("a.txt"), [a]],
  ["Qwen3-Coder, without its opening tag", `${qwen("a.txt")}\n</tool_call>`, [a]],
  ["Qwen3-Coder, two", `<tool_call>\n${qwen("a.txt")}\n${qwen("b.txt")}\n</tool_call>`, [a, b]],
  [
    "Qwen3-Coder, each between tags",
    `<tool_call>\n${qwen("a.txt")}\n</tool_call>\n<tool_call>\n${qwen("b.txt")}\n</tool_call>`,
    [a, b],
  ],
  ["Qwen3-Coder, nothing to give", "<function=list>\n</function>", [{ name: "list", input: {} }]],
  ["Seed", `<seed:tool_call>${qwen("a.txt")}</seed:tool_call>`, [a]],
  ["Llama 3.1", `<function=read_file>${args}</function>`, [a]],
  ["Llama 3.1, a line each", `${json("a.txt")}\n${json("b.txt")}`, [a, b]],
  [
    "Llama 3.2",
    '<|python_tag|>{"name": "read_file", "parameters": {"path": "a.txt"}}; {"name": "read_file", "parameters": {"path": "b.txt"}}',
    [a, b],
  ],
  [
    "GLM 4.5",
    "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>",
    [a],
  ],
  ["GLM 4.7", "<tool_call>read_file<arg_key>path</arg_key><arg_value>a.txt</arg_value></tool_call>", [a]],
  ["GLM, nothing to give", "<tool_call>list</tool_call>", [{ name: "list", input: {} }]],
  ["Mistral, a list", `[TOOL_CALLS] [${json("a.txt")}, ${json("b.txt")}]`, [a, b]],
  ["Mistral, by name", `[TOOL_CALLS]read_file${args}[TOOL_CALLS]read_file{"path":"b.txt"}`, [a, b]],
  ["Mistral, with a mark", `[TOOL_CALLS]read_file[ARGS]${args}`, [a]],
  ["Mistral, with an id", `[TOOL_CALLS]read_file[CALL_ID]aB3dE6gH9[ARGS]${args}`, [a]],
  [
    "Kimi K2",
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>${args}<|tool_call_end|><|tool_call_begin|>functions.read_file:1<|tool_call_argument_begin|>{"path":"b.txt"}<|tool_call_end|><|tool_calls_section_end|>`,
    [a, b],
  ],
  [
    "DeepSeek V3",
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    [a],
  ],
  [
    "DeepSeek V3.1, its bars made plain",
    `<|tool▁calls▁begin|><|tool▁call▁begin|>read_file<|tool▁sep|>${args}<|tool▁call▁end|><|tool▁calls▁end|>`,
    [a],
  ],
  [
    "DeepSeek V3.2",
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">a.txt</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    [a],
  ],
  [
    "MiniMax M2",
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</minimax:tool_call>',
    [a],
  ],
  ["Hunyuan", `<tool_calls>[${json("a.txt")}]</tool_calls>`, [a]],
  ["Granite", `<|tool_call|>[${json("a.txt")}]`, [a]],
  ["Qwen2.5-Coder", `<tools>\n${json("a.txt")}\n</tools>`, [a]],
  ["Phi", `functools[${json("a.txt")}]`, [a]],
  [
    "gpt-oss",
    `<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>${args}<|call|>`,
    [a],
  ],
  [
    "the API's own message",
    '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "read_file", "arguments": "{\\"path\\": \\"a.txt\\"}"}}]}',
    [a],
  ],
  ["Llama 4", `[read_file(path="a.txt"), read_file(path='b.txt')]`, [a, b]],
  [
    "LFM2",
    `<|tool_call_start|>[edit(text='say \\'"hi"\\'\\n', count=-5, all=True, at={"x": [1.5, None]}), list()]<|tool_call_end|>`,
    [
      { name: "edit", input: { text: "say '\"hi\"'\n", count: -5, all: true, at: { x: [1.5, null] } } },
      { name: "list", input: {} },
    ],
  ],
  [
    "Python, with signs that JSON does not know",
    String.raw`[edit(text='\d+\x41\'\/\u00e9\\d "\."'), read_file(path="\w\
b")]`,
    [
      { name: "edit", input: { text: String.raw`\d+A'\/é\d "\."` } },
      { name: "read_file", input: { path: String.raw`\wb` } },
    ],
  ],
  ["Hermes, nothing to give", '<tool_call>{"name": "list"}</tool_call>', [{ name: "list", input: {} }]],
  [
    "Hermes, null to give",
    '<tool_call>{"name": "list", "arguments": null}</tool_call>',
    [{ name: "list", input: {} }],
  ],
  ["with the end of the reply left there", `<tool_call>${json("a.txt")}</tool_call><|im_end|>`, [a]],
  ["JSON with the end of the reply left there", `${json("a.txt")}<|eom_id|>`, [a]],
  ["Hermes, in code", `\`\`\`xml\n<tool_call>\n${json("a.txt")}\n</tool_call>\n\`\`\``, [a]],
])("%s: it runs, however it comes, and is never shown", (_whose, written, calls) => {
  expect(saidHowever(written)).toEqual({ text: "", calls });
  const { text, calls: found } = saidHowever(`I look.\n\n${written}`);
  // Plain JSON, and what is in code, calls nothing behind words.
  if (/^(?:[{`f]|\[read|\[edit)/.test(written)) expect([text, found]).toEqual([`I look.\n\n${written}`, []]);
  else expect([text, found]).toEqual(["I look.\n\n", calls]);
});

test("words behind and between calls are shown", () => {
  const call = (path: string) => `<tool_call>\n${json(path)}\n</tool_call>`;
  expect(saidHowever(`I look.\n${call("a.txt")}\nThen I see.`)).toEqual({
    text: "I look.\nThen I see.",
    calls: [a],
  });
  expect(saidHowever(`${qwen("a.txt")}\nAnd:\n${call("b.txt")}\nThat is all.`)).toEqual({
    text: "And:\n\nThat is all.",
    calls: [a, b],
  });
});

test("what follows a call that was closed is one only where it is marked itself", () => {
  for (const words of [json("b.txt"), '[read_file(path="b.txt")]', 'read_file {"path": "b.txt"}']) {
    expect(saidHowever(`<tool_call>${json("a.txt")}</tool_call>\n${words}`)).toEqual({
      text: words,
      calls: [a],
    });
  }
});

test.each([
  { isCut: true, hasCalls: false },
  { isCut: false, hasCalls: true },
])("in a reply with %j no call is read from the text", (end) => {
  expect(said([qwen("a.txt")], end)).toEqual({ text: qwen("a.txt"), calls: [] });
});

test("a call behind many words runs, and a long one does", () => {
  const words = `${"It is long. ".repeat(90)}\n`;
  expect(saidHowever(words + qwen("a.txt"))).toEqual({ text: words, calls: [a] });
  const path = "long/".repeat(220);
  expect(saidHowever(json(path)).calls).toEqual([{ name: "read_file", input: { path } }]);
});

test.each([
  "The ` key.\n\n",
  "```\nIt`s.\n```\n",
  "> Quoted.\n\n",
  "````\n```\n````\n",
  "a ~~~ b\n",
  "~~~\n`\n~~~~\n",
])("a call behind %j runs: nothing of it is open there", (words) => {
  expect(saidHowever(words + qwen("a.txt"))).toEqual({ text: words, calls: [a] });
});

test("a call behind thinking of which nothing but the end is marked runs", () => {
  expect(saidHowever(`I think.</think>\n\n${json("a.txt")}`)).toEqual({ text: "", calls: [a] });
});

test.each([
  `<tool_call>\n<function=delete_all>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>`,
  `<tool_call>\n${json("a.txt")}\n</tool_call>\n<tool_call>\n{"name": "delete_all", "arguments": {}}\n</tool_call>`,
  "<tool_call>delete_all</tool_call>",
  "[TOOL_CALLS]delete_all[ARGS]{}",
  `It sends <tool_call>${json("a.txt")}</tool_call> then.`,
  `Qwen writes "${qwen("a.txt")}"`,
  `Qwen writes this:\n\n\`\`\`\n${qwen("a.txt")}\n\`\`\``,
  `\`\`\`xml\n${qwen("a.txt")}\n\`\`\`\nThat is how it looks.`,
  `> ${qwen("a.txt")}\n\nThat is how it looks.`,
  `${qwen("a.txt")}\nIt is written \`<tool_call>\`, then \`<function=\``,
  `${qwen("a.txt")}\nIn code:\n\`\`\`\n${qwen("b.txt")}\n\`\`\``,
  ...["~~~", "~~~~", "````", "  ```"].map((fence) => `So:\n\n${fence}xml\n${qwen("a.txt")}\n${fence}\n`),
  `\`\`\`\`md\n\`\`\`\n${qwen("a.txt")}\n\`\`\`\n\`\`\`\`\nThat is all.`,
  `\`\`\`\nIt\`s open.\n\n${qwen("a.txt")}\n\`\`\``,
  `${qwen("a.txt")}\nIn code:\n~~~\n${qwen("b.txt")}\n~~~`,
  `So:\n> ${qwen("a.txt")}`,
  `So:\n\n    ${qwen("a.txt")}\n\nThat is all.`,
  `So:\n\n\t${qwen("a.txt")}`,
  // What ends the outer value stands in it, too: what would run is half of it.
  writing(`Qwen writes:\n${qwen("a.txt")}\nand more.`),
  writing(`Qwen writes:\n<tool_call>\n${qwen("a.txt")}\n</tool_call>`),
  writing(`A</parameter></function>\n${qwen("a.txt")}\n`),
  "<tool_call>read_file<arg_key>path</arg_key><arg_value>a</arg_value></tool_call> b</arg_value></tool_call>",
  "A `<function=read_file>` opens, `<parameter=path>` names.",
  "<function=read_file>\n<parameter=path>\na.txt",
  "<function=read_file>\n<parameter=path>\na.txt\n</parameter>",
  "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt",
  "[TOOL_CALLS] is what Mistral begins with.",
  "<tools> and <function> are tags.",
  `${json("a.txt")}\nand so on`,
  `${json("a.txt")}\n{"name": "Anna", "age": 3}`,
  `[${json("a.txt")}, {"name": "delete_all", "arguments": {}}]`,
  "<function=list>",
  '{"tool_calls": []}',
  '{"name": "list"}',
  '{"name": "list", "arguments": null}',
  "functions.read_file:0",
  '[delete_all(path="a")]',
  '[read_file(path="a"), delete_all()]',
  '[read_file(path="a.txt)]',
  "[read_file(path)]",
  '[read_file("a.txt")]',
  '[read_file(path="a.txt")](#read)',
  '[read_file(path=open("a"))]',
  "[read_file](#read) reads.",
  "read_file{}",
  "a[i] < b[j]",
])("%j stays text", (written) => {
  expect(saidHowever(written)).toEqual({ text: written, calls: [] });
});

test("whatever is said, it is the same however it comes", () => {
  const parts = [
    ...[
      json("a.txt"),
      args,
      qwen("a.txt"),
      "[read_file(path='a')]",
      "<arg_key>path</arg_key><arg_value>b</arg_value>",
    ],
    ...[
      "<tool_call>",
      "</tool_call>",
      "<function=read_file>",
      "<parameter=path>",
      "</parameter>",
      "</function>",
    ],
    ...["[TOOL_CALLS]", "[ARGS]", "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>"],
    ...[
      "<think>",
      "</think>",
      "functools[",
      "functions.",
      "read_file",
      ":0",
      "<",
      "[",
      "]",
      "`",
      "```",
      "\n~~~\n",
      "````",
      "\n> ",
      "    ",
      '"',
      "\n",
      " ",
    ],
    ...["words", "x".repeat(999), " ".repeat(990)],
  ];
  const text = fc
    .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 8 })
    .map((chosen) => chosen.join(""));
  fc.assert(
    fc.property(text, fc.nat(), (written, place) => {
      const whole = said([written]);
      const at = place % written.length;
      expect(said([...written])).toEqual(whole);
      expect(said([written.slice(0, at), written.slice(at)])).toEqual(whole);
    }),
  );
});

describe("a value that is written as text has the type that the tool wants", () => {
  const givenFor = (key: string, value: string) => {
    const { calls } = said([`<function=edit>\n<parameter=${key}>\n${value}\n</parameter>\n</function>`]);
    const glm = said([`<tool_call>edit<arg_key>${key}</arg_key><arg_value>${value}</arg_value></tool_call>`]);
    expect(glm.calls).toEqual(calls);
    return calls[0]?.input;
  };

  test.each<[string, string, unknown]>([
    ["text", "5", "5"],
    ["text", "null", "null"],
    ["text", '{"a": 1}', '{"a": 1}'],
    ["text", "\n  two\nlines\n", "\n  two\nlines\n"],
    ["text", "<b>a</b> </parameter> </arg_value> b", "<b>a</b> </parameter> </arg_value> b"],
    ["text", "", ""],
    ["count", " 5 ", 5],
    ["count", "5.5", "5.5"],
    ["count", "many", "many"],
    ["ratio", "0.5", 0.5],
    ["ratio", "null", null],
    ["all", "true", true],
    ["all", "False", false],
    ["list", '["a", "b"]', ["a", "b"]],
    ["at", '{"x": 1}', { x: 1 }],
    ["at", "None", null],
    ["either", "7", 7],
    ["either", "seven", "seven"],
    ["either", '"seven"', '"seven"'],
    ["mode", "1", "1"],
    ["unknown", "[1]", [1]],
    ["unknown", "word", "word"],
    ["__proto__", "word", "word"],
    ["constructor", "word", "word"],
  ])("%s: %j", (key, written, value) => {
    expect(Object.entries(givenFor(key, written) ?? {})).toEqual([[key, value]]);
  });
});
