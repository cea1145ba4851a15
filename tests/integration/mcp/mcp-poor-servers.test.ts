import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { ToolOutput } from "../../../electron/agent/ports/ports.ts";
import { serversView } from "../../../electron/mcp/servers-view.ts";
import { listPrompts, promptContent } from "../../../electron/mcp/tools/resources.ts";
import { toolSchema } from "../../../electron/providers/tool-schema.ts";
import { FakeClock } from "../../fakes/clock.ts";
import { apis, createProviderRig, prompt, replyTo, requestOf } from "../providers/provider-rig.ts";
import { callContext, createMcpRig, type McpRig, type McpRigOptions, scripted, stateOf } from "./mcp-rig.ts";

/** Servers that break the protocol as those that people use do: each time the rest of them is there all the same. */

let rig: McpRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

async function started(script: object, options: McpRigOptions = {}, more: object = {}): Promise<McpRig> {
  rig = createMcpRig({ servers: { s: scripted(script, more) }, ...options });
  await rig.manager.load();
  await rig.manager.settled();
  return rig;
}

const namesOf = ({ manager }: McpRig) => manager.tools("c1").map(({ name }) => name);

async function call({ manager }: McpRig, name: string, input: object = {}): Promise<ToolOutput> {
  const tool = manager.tools("c1").find((offered) => offered.name === `s__${name}`);
  if (!tool) throw new Error(`${name} is not offered`);
  return await tool.run(input, callContext());
}

const whatItGives = (rig: McpRig, result: object) => call(rig, "give", { result });

describe("the lists of a server", () => {
  // Each of its answers has a null in it that the protocol does not know.
  test("may say null for what they do not have", async () => {
    const rig = await started({ nulls: true, list: ["one"] });
    expect(rig.manager.server("s").status).toMatchObject({ state: "ready", why: null });
    expect(namesOf(rig)).toEqual(["s__one"]);
    expect(listPrompts(rig.manager).map(({ usage }) => usage)).toEqual(["/s:greet WHO", "/s:bare"]);
  });

  test.each(["", "again"])("end where the next page %j was read already, each name once", async (cursor) => {
    const list = ["one", "two", "one"];
    const rig = await started({ cursor, list, lists: "lists.txt" }, {}, { cwd: "." });
    expect(namesOf(rig)).toEqual(["s__one", "s__two"]);
    expect(rig.manager.server("s").connection?.tools.map(({ name }) => name)).toEqual(["one", "two"]);
    const asked = readFileSync(join(rig.folder, "lists.txt"), "utf8").split("\n").length - 1;
    expect(asked).toBeLessThanOrEqual(2);
  });

  test("that come again name once what is left out of them", async () => {
    const rig = await started({ cursor: "again", list: ["one"], listed: [{ name: "odd", inputSchema: 1 }] });
    expect(rig.manager.server("s").connection?.leftOut).toEqual([
      "odd: its input schema is not one of arguments",
    ]);
  });

  // Bug: only the first page was read.
  test.each(["kept", "refused"])(
    "may count their pages in numbers, which are %s as such",
    async (numbers) => {
      const rig = await started({ list: ["one", "two", "three", "four"], pageSize: 1, numbers });
      expect(namesOf(rig)).toEqual(["s__one", "s__two", "s__three", "s__four"]);
    },
  );

  test.each([[0], [-1], [false], [null], [{}], [[]]])("end where the next page is %j", async (noMore) => {
    const script = { list: ["one", "two"], pageSize: 1, numbers: "kept", noMore, lists: "lists.txt" };
    const rig = await started(script, {}, { cwd: "." });
    expect(namesOf(rig)).toEqual(["s__one", "s__two"]);
    expect(readFileSync(join(rig.folder, "lists.txt"), "utf8")).toBe("list\nlist\n");
  });

  // Bug: such a server had no tools, and no prompts.
  test("may stand alone in their answers", async () => {
    const rig = await started({ bare: true, list: ["one", "two"] });
    expect(namesOf(rig)).toEqual(["s__one", "s__two"]);
    expect(listPrompts(rig.manager).map(({ usage }) => usage)).toEqual(["/s:greet WHO"]);
    const { signal } = new AbortController();
    expect(await promptContent(rig.manager, "s:greet", ["Ada"], signal)).toEqual([
      { type: "text", text: "Greet Ada" },
    ]);
  });

  describe("that are too long", () => {
    const leftOutOf = async (script: object) => {
      const rig = await started({ list: ["one"], ...script });
      const { tools = [], leftOut } = rig.manager.server("s").connection ?? {};
      expect(stateOf(rig.manager, "s")).toBe("ready");
      return { names: tools.map(({ name }) => name), leftOut };
    };

    // Bug: a server's list was read and kept whole, whatever its length.
    test("are read up to a number of entries, and what is left out is said", async () => {
      const { names, leftOut } = await leftOutOf({ many: 2500 });
      expect(names).toHaveLength(2000);
      expect(leftOut).toEqual(["501 further entries: up to 2000 are read"]);
    });

    test("and come in pages are not asked for any further", async () => {
      const list = Array.from({ length: 21 }, (_, at) => `t${at}`);
      const script = { list, pageSize: 1, many: 100, lists: "lists.txt", manyName: "m" };
      const rig = await started(script, {}, { cwd: "." });
      expect(rig.manager.server("s").connection?.leftOut).toEqual([
        "20 further entries, and further pages: up to 2000 are read",
      ]);
      expect(readFileSync(join(rig.folder, "lists.txt"), "utf8").split("\n")).toHaveLength(21);
    });

    test("in one entry are read without it", async () => {
      const { names, leftOut } = await leftOutOf({ long: 600_000 });
      expect(names).toEqual(["one"]);
      expect(leftOut).toEqual(["long: it has 600032 characters; up to 500000 are read"]);
    });

    test("in a name are read without it", async () => {
      const name = "n".repeat(300);
      const { names, leftOut } = await leftOutOf({ listed: [{ name }] });
      expect(names).toEqual(["one"]);
      expect(leftOut).toEqual([`${"n".repeat(200)}…: its name is longer than 200 characters`]);
    });

    test("in all are read up to a length", async () => {
      const { names, leftOut } = await leftOutOf({
        list: Array(80).fill("one"),
        schema: undefined,
        properties: { a: { description: "x".repeat(100_000) } },
      });
      expect(names).toEqual(["one"]);
      expect(leftOut).toEqual(["31 further entries: up to 5000000 characters are read"]);
    });

    test("in what is left out name some of it", async () => {
      const { names, leftOut } = await leftOutOf({
        listed: Array.from({ length: 60 }, (_, at) => ({ name: `odd${at}`, inputSchema: 1 })),
      });
      expect(names).toEqual(["one"]);
      expect(leftOut).toHaveLength(51);
      expect(leftOut?.at(-1)).toBe("10 others");
    });
  });

  // Bug: the window kept showing what was left out before.
  test("are news where only what is left out of them is another", async () => {
    const rig = await started({ list: ["relist"] });
    for (const name of ["odd", "odder"]) {
      const why = `${name}: its input schema is not one of arguments`;
      const isTold = new Promise<void>((resolve) => {
        rig.manager.onChange(() => {
          if (rig.manager.server("s").connection?.leftOut.join() === why) resolve();
        });
      });
      await call(rig, "relist", { listed: [{ name, inputSchema: 1 }] });
      await isTold;
    }
  });

  test("of prompts need not be there: its tools are", async () => {
    const rig = await started({ refuses: ["prompts/list"], list: ["one"] });
    expect(stateOf(rig.manager, "s")).toBe("ready");
    expect(namesOf(rig)).toEqual(["s__one"]);
    expect(rig.lines.join("\n")).toContain("The list of prompts cannot be read");
  });

  test("that are said to change with each reading are not read without end, and are no news where they are the same", async () => {
    const clock = new FakeClock();
    const script = { restless: true, list: ["one"], lists: "lists.txt" };
    const rig = await started(script, { clock }, { cwd: "." });
    const asked = () => readFileSync(join(rig.folder, "lists.txt"), "utf8").split("\n").length - 1;
    const [before] = rig.manager.tools("c1");
    for (const [times, pause] of [250, 500, 1000, 2000].entries()) {
      await clock.sleeping(pause);
      expect(asked()).toBe(times + 1);
      clock.advance(pause);
    }
    await clock.sleeping(4000);
    expect(rig.manager.tools("c1")[0]).toBe(before);
  });
});

describe("a tool of a list", () => {
  const object = { type: "object", properties: {} };
  test.each<[string, object, object]>([
    [
      "with true for an argument",
      { inputSchema: { type: "object", properties: { data: true } } },
      { data: {} },
    ],
    [
      "with null for an argument",
      { inputSchema: { type: "object", properties: { data: null } } },
      { data: {} },
    ],
    [
      "with a bad output schema",
      { inputSchema: object, outputSchema: { type: "string", properties: [] } },
      {},
    ],
    ["with null for its description", { inputSchema: object, description: null, title: 3 }, {}],
    ["without an input schema", {}, {}],
    ["with null for it", { inputSchema: null }, {}],
    ["with an empty one", { inputSchema: {} }, {}],
    [
      "with one of no type",
      { inputSchema: { properties: { a: { type: "int" } } } },
      { a: { type: "integer" } },
    ],
    ["with one of null", { inputSchema: { type: null, properties: null, required: null } }, {}],
    ["with an empty list for it, as PHP writes it", { inputSchema: [] }, {}],
    ["with odd hints", { inputSchema: object, annotations: ["readOnly"], _meta: 1, icons: null }, {}],
    [
      "with odd words among its hints",
      { inputSchema: object, annotations: { title: 1, readOnlyHint: "yes" } },
      {},
    ],
  ])("%s is offered", async (_, entry, properties) => {
    const rig = await started({ list: [], listed: [{ name: "odd", ...entry }] });
    const [tool] = rig.manager.tools("c1");
    expect(tool && toolSchema(tool).properties).toEqual(properties);
    expect(rig.manager.server("s").connection?.leftOut).toEqual([]);
  });

  test.each<[object, string]>([
    [{ name: "odd", inputSchema: "none" }, "odd: its input schema is not one of arguments"],
    [{ name: "odd", inputSchema: { type: "string" } }, "odd: its input schema is not one of arguments"],
    [{ name: "odd", inputSchema: { type: "List" } }, "odd: its input schema is not one of arguments"],
    [{ name: null, inputSchema: {} }, "one without a name: its name cannot be read"],
  ])("that cannot be mended (%j) is left out and named, and no other is", async (entry, why) => {
    const rig = await started({ list: ["one"], listed: [entry] });
    expect(namesOf(rig)).toEqual(["s__one"]);
    expect(rig.manager.server("s").connection?.leftOut).toEqual([why]);
    expect(serversView(rig.manager, rig.folder, String).servers[0]?.leftOut).toEqual([why]);
  });
});

test("the schemas of servers, however odd, are ones that the model's API takes", async () => {
  const odd = [
    {
      properties: {
        "$.xgafv": { type: "int", exclusiveMinimum: true, minimum: 0 },
        "a b": { required: true },
      },
    },
    {
      $schema: "http://json-schema.org/draft-03/schema#",
      type: "object",
      properties: { a: { type: "any" } },
    },
    {
      type: "object",
      properties: { a: { anyOf: [true, { $ref: "#/definitions/none" }] } },
      required: ["a", "a"],
    },
    { type: "object", oneOf: [{ properties: { "x/y": { type: ["str", "None"] } } }], enum: [] },
    { type: "object", properties: { a: { items: [{ properties: { "@id": true } }], type: "list" } } },
    { type: "object", properties: { a: { patternProperties: { "(?P<x>": {} }, pattern: "\\Z", $id: 3 } } },
  ];
  const listed = odd.map((inputSchema, place) => ({ name: `odd${place}`, inputSchema }));
  const { manager } = await started({ list: [], listed });
  const tools = manager.tools("c1");
  expect(tools).toHaveLength(odd.length);
  for (const api of apis) {
    const { provider, server } = await createProviderRig(api);
    const { message } = await replyTo(provider, requestOf([prompt("Hi")], { tools }));
    expect(message.stopReason).toBe("end_turn");
    expect(server.requests).toHaveLength(1);
    await server.close();
  }
});

test("output that begins with a byte order mark is read", async () => {
  const rig = await started({ bom: true }, {}, { startTimeoutMs: 5000 });
  expect(rig.manager.server("s").status).toMatchObject({ state: "ready", why: null });
});

describe("a schema", () => {
  test("that goes too deep takes its tool out, and no other", async () => {
    const rig = await started({ deep: 20_000 });
    expect(namesOf(rig)).toEqual(["s__echo"]);
    expect(rig.lines.join("\n")).toContain("Left out of tools/list: deep");
  });

  // Bug: the list of tools could not be made, and each prompt failed.
  test("that refers from one part to the next without end stops neither its tool nor another", async () => {
    const rig = await started({ list: ["echo"], chained: 15_000 });
    expect(namesOf(rig)).toEqual(["s__echo", "s__chained"]);
  });

  test("whose names no API takes reaches the model in others, and the server in its own", async () => {
    const schema = { type: "object", properties: { $text: { type: "file" } }, required: ["$text"] };
    const rig = await started({ list: ["echo"], schema, did: "did.txt", keepsInput: true }, {}, { cwd: "." });
    const [tool] = rig.manager.tools("c1");
    expect(tool?.inputSchema).toEqual({ type: "object", properties: { _text: {} }, required: ["_text"] });
    expect(tool?.describe?.({ _text: "hello" })).toContain('"$text": "hello"');
    await tool?.run({ _text: "hello" }, callContext());
    expect(readFileSync(join(rig.folder, "did.txt"), "utf8")).toBe('echo {"$text":"hello"}\n');
  });

  test("that is very long is cut to its arguments; many long ones are searched for, as many tools are", async () => {
    const about = (chars: number) => ({
      type: "object",
      properties: { a: { type: "object", properties: { b: { description: "x".repeat(chars) } } } },
    });
    const rig = await started({ list: ["one"], schema: about(70_000) });
    expect(rig.manager.tools("c1")[0]?.inputSchema).toEqual({
      type: "object",
      properties: { a: { type: "object" } },
      description: expect.stringContaining("too long"),
    });
    await rig.close();
    const { manager } = await started({ list: ["one", "two", "three"], schema: about(40_000) });
    expect(manager.tools("c1").map(({ name }) => name)).toEqual(["find_tools"]);
  });
});

/** Smallest images there are, and one of so many pixels. */
const gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
function png(width: number, height: number): string {
  const header = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const end = Buffer.from("000000004944415435af061e0000000049454e44ae426082", "hex");
  return Buffer.concat([header, size, Buffer.alloc(9), end]).toString("base64");
}

describe("an image in a result", () => {
  // Bug: the model's API refused it, and with it every later request of the conversation.
  test.each([
    ["is of the kind that its bytes say", { data: gif, mimeType: "image/png" }],
    ["may have the name that people give its kind", { data: gif, mimeType: "image/jpg" }],
    ["may be the address of a picture", { data: `data:image/gif;base64,${gif}`, mimeType: "image/gif" }],
    ["may have lines", { data: `${gif.slice(0, 20)}\n${gif.slice(20)}\n`, mimeType: "IMAGE/GIF" }],
  ])("%s", async (_, image) => {
    const rig = await started({ list: ["give"] });
    const { images, text } = await whatItGives(rig, { content: [{ type: "image", ...image }] });
    expect(images).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/gif", data: gif } },
    ]);
    expect(text).toContain("[image: image/gif, 1 KB]");
  });

  test.each([
    ["that is none", { data: "bm90IGFuIGltYWdl", mimeType: "image/png" }, "it is damaged, or of no kind"],
    ["that is empty", { data: "", mimeType: "image/png" }, "it is damaged, or of no kind"],
    [
      "that ends in its header",
      { data: gif.slice(0, 8), mimeType: "image/gif" },
      "it is damaged, or of no kind",
    ],
    [
      "that is cut off",
      { data: png(100, 100).slice(0, -16), mimeType: "image/png" },
      "it is damaged, or of no kind",
    ],
    [
      "with too many pixels",
      { data: png(100, 8001), mimeType: "image/png" },
      "more than 8000 pixels on a side",
    ],
  ])("%s is named, and not shown", async (_, image, why) => {
    const rig = await started({ list: ["give"] });
    const { images, text } = await whatItGives(rig, { content: [{ type: "image", ...image }] });
    expect(images).toBeUndefined();
    expect(text).toContain(why);
  });
});

describe("a result that breaks the rules is told as far as it can be: the call was made", () => {
  test.each([
    [{ content: null, structuredContent: { sum: 3 }, _meta: null, isError: null }, '"sum": 3'],
    [{ content: "only words" }, "only words"],
    [{ content: ["words", { type: "text", text: "more" }] }, "words\n\nmore"],
    [{ content: { type: "text", text: "one block" } }, "one block"],
    [
      {
        content: [
          { type: "text", text: 42 },
          { type: "chart", rows: 2 },
        ],
      },
      '{"type":"chart","rows":2}',
    ],
    [{ content: [{ type: "text", text: "noted", annotations: null, _meta: null }] }, "noted"],
    [{ toolResult: { of: "an older kind" } }, '"of": "an older kind"'],
    [{ structuredContent: [1, 2] }, "1,"],
    [{ output: "elsewhere", _meta: {} }, '"output": "elsewhere"'],
    [["one", { type: "text", text: "two" }], "one\n\ntwo"],
    [{ content: [], structuredContent: "words" }, "words"],
    [{ content: [null, { type: "text", text: 42 }] }, "42"],
    [
      { content: [{ type: "markdown", text: "# Said" }] },
      "[markdown: Parley does not know this kind of content]\n# Said",
    ],
    [{ content: [{ type: "chart" }, { type: "text", text: "beside it" }] }, "beside it"],
    [{ content: [{ type: "video", data: "A".repeat(9000) }] }, '"data":"(9000 characters)"'],
    [{ content: [{ type: "audio", data: "not base64!", mimeType: null }] }, "[audio: unknown kind"],
    [{ content: [{ type: "resource_link", uri: "a:b", name: null }] }, "[resource: a:b]"],
    [
      { content: [{ type: "resource", resource: { uri: "a:b", mimeType: null, text: "inside" } }] },
      "[resource: a:b]\ninside",
    ],
  ])("%j", async (result, text) => {
    const rig = await started({ list: ["give"] });
    const output = await whatItGives(rig, result);
    expect(output.text).toContain(text);
    expect(output.isError).toBeUndefined();
  });
});

test.each<[unknown, boolean]>([
  [true, true],
  ["true", true],
  ["True", true],
  [1, true],
  ["1", true],
  [false, false],
  ["false", false],
  [0, false],
  ["", false],
  [null, false],
  ["no", false],
  [{ message: "none" }, false],
])("a result whose `isError` is %j is an error: %j", async (isError, isSaid) => {
  const rig = await started({ list: ["give"] });
  const output = await whatItGives(rig, { content: [{ type: "text", text: "said" }], isError });
  expect(output.text).toContain("said");
  expect(output.isError ?? false).toBe(isSaid);
});

test("a list beside the same list as text stands there once", async () => {
  const rig = await started({ list: ["give"] });
  const rows = [{ id: 1 }, { id: 2 }];
  const content = [{ type: "text", text: JSON.stringify(rows) }];
  const { text } = await whatItGives(rig, { content, structuredContent: rows });
  expect(text.split('"id"')).toHaveLength(3);
});

describe("a prompt", () => {
  const { signal } = new AbortController();
  const asked = async (messages: unknown) =>
    promptContent((await started({ prompt: messages })).manager, "s:greet", ["Ada"], signal);
  const image = { type: "image", data: gif, mimeType: "image/png" };
  const block = { type: "image", source: { type: "base64", media_type: "image/gif", data: gif } };

  test.each<[string, unknown, unknown[]]>([
    [
      "with a picture brings it",
      [{ role: "user", content: image }],
      [{ type: "text", text: "[image: image/gif, 1 KB]" }, block],
    ],
    ["that is a list of words", ["Hello"], [{ type: "text", text: "Hello" }]],
    [
      "with a list of blocks",
      [{ role: "user", content: [{ type: "text", text: "Look:" }, image] }],
      [{ type: "text", text: "Look:\n\n[image: image/gif, 1 KB]" }, block],
    ],
    [
      "with a kind that nobody knows",
      [{ role: "system", content: { type: "rich", text: "Be brief." } }],
      [{ type: "text", text: "[rich: Parley does not know this kind of content]\nBe brief." }],
    ],
  ])("%s", async (_, messages, content) => {
    expect(await asked(messages)).toEqual(content);
  });

  test.each([
    [[]],
    [[{ role: "user", content: null }]],
    [[{ role: "user", content: { type: "text", text: " " } }]],
    [[{ role: "assistant", content: [] }]],
  ])("that is empty (%j) says so", async (messages) => {
    await expect(asked(messages)).rejects.toThrow("`/s:greet` is empty, so nothing was sent.");
  });
});
