import type { ApprovalItem } from "../../../shared/conversation/transcript-items.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { decisionWords } from "../../state/conversation/wording.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import styles from "./ApprovalLine.module.css";

const t = texts.approvals;

/** The thing itself says most, in one line. */
const asked = ({ wish, detail }: ApprovalItem): string => {
  if (wish?.tool !== undefined) return t.toolFrom(wish.tool, wish.who);
  return wish ? t.wished(wish.who, wish.what) : (detail.split("\n", 1)[0] ?? "");
};

/** What became of an approval whose call has no line here, as one quiet line. */
export function ApprovalLine({ item }: { item: ApprovalItem }) {
  const what = visibleText(asked(item));
  const { status } = item;
  return (
    <p className={styles.line} data-testid="approval" data-key={item.key} data-status={status}>
      <Icon name={status === "allowed" ? "check" : status === "stopped" ? "stop" : "hand"} />
      <span className={styles.what}>
        {status === "allowed" ? t.allowed(what) : status === "stopped" ? t.stopped(what) : t.denied(what)}
      </span>
      <span className={styles.said}>{decisionWords(item)}</span>
    </p>
  );
}
