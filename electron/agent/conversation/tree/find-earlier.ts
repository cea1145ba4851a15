import { itemFinder } from "../../../../shared/conversation/find-items.ts";
import type { FoundItem } from "../../../../shared/conversation/find-text.ts";
import type { EarlierItems } from "../../../../shared/ipc/conversation-routes.ts";
import { TimeSlices } from "../../../../shared/time-slices.ts";

/** Items that are looked for at most, and the newest of them given. */
export const maxFoundItems = 2000;

/**
 * The items with a text that stand before the item of this key, oldest first.
 * @param earlier a page of them, as `ConversationPath.earlier`
 * @param signal ends it: what was found until then is given
 * @throws what `earlier` throws
 */
export async function findEarlier(
  earlier: (before: string) => EarlierItems,
  { text, before, signal }: { text: string; before: string; signal: AbortSignal },
): Promise<FoundItem[]> {
  const slices = new TimeSlices();
  const find = itemFinder(text);
  const pages: FoundItem[][] = [];
  let count = 0;
  for (let key: string | undefined = before; key !== undefined && count < maxFoundItems; ) {
    const { items, hasEarlier }: EarlierItems = earlier(key);
    const found: FoundItem[] = [];
    pages.unshift(found);
    // Markdown is parsed where it may hold the text, which takes its time.
    for (const item of items) {
      const one = find(item);
      if (one) found.push(one);
      await slices.pause();
      if (signal.aborted) return pages.flat().slice(-maxFoundItems);
    }
    count += found.length;
    key = hasEarlier ? items[0]?.key : undefined;
  }
  return pages.flat().slice(-maxFoundItems);
}
