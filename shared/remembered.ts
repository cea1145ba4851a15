import { z } from "zod";

/** What windows remember from start to start and no setting says. */

/** How often something was chosen in the palette, and when last, in milliseconds since the epoch. */
export const use = z.object({ count: z.number().int().min(1).max(1_000_000), at: z.number().min(0) });
export type Use = z.infer<typeof use>;

/** So many things are known that were chosen; those that were not for the longest are forgotten first. */
export const mostUses = 300;

const uses = z.record(z.string().max(300), use);

/** What is wrong in it counts as never said. */
export const remembered = z.object({
  /** null: nobody opened or closed it yet; then it is there once it has something to show. */
  isPanelOpen: z.boolean().nullable().catch(null),
  isListOpen: z.boolean().catch(true),
  /** By the id that the palette knows it by. */
  uses: uses.catch({}),
  /** The user was told that others may have to know of a meeting that is written down. */
  wasToldOfConsent: z.boolean().catch(false),
  /** Conversations with an answer that nobody has seen. */
  unread: z.array(z.string()).max(10_000).catch([]),
});
export type Remembered = z.infer<typeof remembered>;

export const rememberedChange = z.object({
  isPanelOpen: z.boolean().optional(),
  isListOpen: z.boolean().optional(),
  uses: uses.refine((all) => Object.keys(all).length <= mostUses).optional(),
});
