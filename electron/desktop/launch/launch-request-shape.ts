import { z } from "zod";

/** What a start of `parley` asks of the instance that runs, or of itself where none does. */
export const launchRequest = z.discriminatedUnion("type", [
  z.object({ type: z.literal("open") }),
  /** The quick prompt is shown, with words that stand in it. */
  z.object({ type: z.literal("quick"), text: z.string().max(2000).optional() }),
  /** It is shown, or hidden where it is in sight. */
  z.object({ type: z.literal("toggle_quick") }),
  z.object({ type: z.literal("listen") }),
  z.object({ type: z.literal("stop") }),
  z.object({ type: z.literal("session"), reference: z.string().min(1).max(200) }),
  z.object({ type: z.literal("settings") }),
  /** Parley starts without a window, as at login. */
  z.object({ type: z.literal("background") }),
]);
export type LaunchRequest = z.infer<typeof launchRequest>;
