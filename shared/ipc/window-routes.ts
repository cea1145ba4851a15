import { z } from "zod";
import type { AttachmentChoice } from "../conversation/attachments.ts";
import { quickMaxHeightPx } from "../quick-size.ts";
import { answers, conversationId } from "./route-parts.ts";

/** The windows themselves. */
export const windowRoutes = {
  /** Binds the quick prompt's shortcut in the desktop's own settings. Answers with what there is to know then. */
  "quick.bindShortcut": { input: z.void(), ...answers<{ said: string }>() },
  "link.open": { input: z.object({ url: z.string().max(8192) }) },
  "quick.close": { input: z.void() },
  /** The next quick prompt begins another conversation. */
  "quick.new": { input: z.void() },
  /** The conversation that the next quick prompt goes to, made where there is none: its model can be chosen. */
  "quick.take": { input: z.void(), ...answers<{ conversationId: string }>() },
  /** Quick prompts go on in the conversation that they went to last, however long ago. */
  "quick.goOn": { input: z.void(), ...answers<{ conversationId: string }>() },
  /** Listens for the quick prompt. `stop` sends what was being said, `drop` does not. */
  "quick.listen": {
    input: z.object({ move: z.enum(["start", "stop", "drop"]) }),
    ...answers<{ conversationId: string }>(),
  },
  /** A picture of the display that the quick window is on, without that window. null: the user chose nothing in the system's dialog. */
  "quick.picture": { input: z.void(), ...answers<{ attached: AttachmentChoice | null }>() },
  /** The quick window is as high as what it shows. */
  "quick.resize": { input: z.object({ heightPx: z.number().int().min(1).max(quickMaxHeightPx) }) },
  /** Shows the main window with the conversation. */
  "window.open": { input: z.object({ conversationId: conversationId.optional() }) },
} as const;
