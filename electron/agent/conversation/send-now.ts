import type { Conversation } from "./conversation.ts";

/** One that waits cannot pass the run before it: its words go into that run. What the computer played never does. */
export function sendNow(conversation: Conversation, inputId: string): void {
  const input = conversation.view().queue.find((one) => one.inputId === inputId);
  if (!input || input.isHeld) return void conversation.sendInput(inputId);
  // No run goes on that it could go into. It is sent as soon as it may be, and as it was heard.
  if (conversation.state === "idle") return void conversation.editInput(inputId, input.text);
  if (input.source === "loopback") throw new Error("What this computer played always waits its turn.");
  conversation.steerInput(inputId);
}
