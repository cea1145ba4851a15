import type { Command } from "../../commands/registry.ts";
import type { SpeechOutput } from "./speech-output.ts";

/** `/say`: the words aloud, or silence. */
export function sayCommand(speech: SpeechOutput): Command {
  return {
    name: "say",
    usage: "/say TEXT · /say",
    description: "Say words aloud; without any, stop speaking",
    run: (words, { conversationId }) => {
      const text = words.join(" ");
      speech.say(conversationId, text);
      return { output: text === "" ? "Stopped speaking." : `Saying: “${text}”` };
    },
  };
}
