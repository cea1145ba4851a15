import { z } from "zod";
import type { Tool } from "../agent/ports/ports.ts";

const input = z.object({
  question: z.string().trim().min(1).describe("One question, short and plain enough to be read aloud."),
  options: z
    .array(z.object({ label: z.string().trim().min(1), description: z.string().optional() }))
    .max(6)
    .default([])
    .describe("Answers to choose from. The user can always answer something else."),
});

export const askUserTool: Tool<z.infer<typeof input>> = {
  name: "ask_user",
  description:
    "Ask the user a question and wait for the answer. Use it when you need a decision that only they can make. Do not use it to have a step confirmed: the user is asked about changes anyway.",
  input,
  effect: "read",
  async run(question, { ask }) {
    return { text: await ask(question) };
  },
};
