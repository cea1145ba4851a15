import { usdOf } from "../../../../shared/conversation/cost.ts";
import type { Usage } from "../../../../shared/conversation/messages.ts";
import { modelName } from "../../../../shared/conversation/model-name.ts";
import { grouped } from "../../../../shared/grouped.ts";
import { useStore } from "../../../state/store.ts";
import { texts } from "../../../texts/texts.ts";
import { useWindowState } from "../../window/window-context.ts";
import styles from "./MessageActions.module.css";

const t = texts.transcript.cost;

/** Who gave a reply, how long it is in tokens, and what its request cost, where its price is known. */
export function ReplyCost({ model, usage }: { model: string | undefined; usage: Usage }) {
  const { models } = useWindowState();
  const state = useStore(models.state);
  const name = model === undefined ? null : modelName(model);
  const price = state && name === state.modelName ? state.price : null;
  // Some servers count nothing.
  const isCounted = usage.outputTokens > 0;
  const tokens = isCounted && t.tokens(grouped(usage.outputTokens), usage.outputTokens === 1);
  const read = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return (
    <span
      className={styles.cost}
      data-testid="reply-cost"
      title={read > 0 ? t.read(grouped(read)) : undefined}
    >
      {[name, tokens, isCounted && price && dollars(usdOf(usage, price))].filter(Boolean).join(t.between)}
    </span>
  );
}

/** What rounds to nothing is not nothing. */
const dollars = (usd: number): string => (usd > 0 && usd < 0.005 ? t.underACent : t.usd(usd.toFixed(2)));
