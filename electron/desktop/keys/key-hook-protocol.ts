import { z } from "zod";

/** Main to the process that listens to a key; `key` and `modifiers` as in `voice.pushToTalkKey`. */
export const keyHookRequest = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("watch"),
    key: z.string(),
    modifiers: z.array(z.enum(["Ctrl", "Alt", "Shift", "Meta"])),
  }),
  z.object({ type: z.literal("quit") }),
]);
export type KeyHookRequest = z.infer<typeof keyHookRequest>;

/** And back. */
export const keyHookEvent = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["ready", "down", "up"]) }),
  z.object({ type: z.literal("failed"), message: z.string() }),
]);
export type KeyHookEvent = z.infer<typeof keyHookEvent>;
