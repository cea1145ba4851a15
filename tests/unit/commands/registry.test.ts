import { expect, test } from "vitest";
import { type CommandRegistry, createCommandRegistry } from "../../../electron/commands/registry.ts";

const registry: CommandRegistry = createCommandRegistry([
  {
    name: "voice",
    usage: "/voice start",
    description: "Listen",
    run: (args, { conversationId }) => ({ output: `${conversationId}: ${args.join(",")}` }),
  },
  {
    name: "broken",
    usage: "/broken",
    description: "Fails",
    run: () => {
      throw new Error("The disk is full.");
    },
  },
]);
const context = { conversationId: "c1" };

test("a command gets its words and its conversation", async () => {
  expect(await registry.answer("/voice start 'a b'", context)).toEqual({ output: "c1: start,a b" });
});

test("help lists every command, itself included", async () => {
  const { output } = await registry.answer("/help", context);
  for (const usage of ["/help", "/voice start", "/broken"]) expect(output).toContain(`\`${usage}\``);
});

test("a misspelt command is answered with the nearest one", async () => {
  expect(await registry.answer("/vocie stop", context)).toEqual({
    output: "There is no command `/vocie`. Did you mean `/voice`?",
    isError: true,
  });
});

test("a word that resembles nothing points to /help instead of guessing", async () => {
  expect((await registry.answer("/xyzzy42", context)).output).toContain("`/help` lists them");
});

test("a command that throws answers with its reason", async () => {
  expect(await registry.answer("/broken", context)).toEqual({ output: "The disk is full.", isError: true });
});
