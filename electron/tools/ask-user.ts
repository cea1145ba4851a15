import { z } from "zod";
import type { Tool } from "../agent/ports/ports.ts";

const input = z.object({
  question: z.string().trim().min(1).describe("One question, in plain words."),
  options: z
    .array(z.object({ label: z.string().trim().min(1), description: z.string().optional() }))
    .max(6)
    .default([])
    .describe("Answers to choose from; another answer is always possible."),
});

export const askUserTool: Tool<z.infer<typeof input>> = {
  name: "ask_user",
  description:
    "Asks the user a question and waits for the answer. Only where going on without it would be a guess about what they want.",
  input,
  effect: "read",
  async run(question, { ask }) {
    return { text: await ask(question) };
  },
};
