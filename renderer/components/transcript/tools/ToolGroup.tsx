import type { ApprovalItem } from "../../../../shared/conversation/transcript-items.ts";
import { visibleText } from "../../../../shared/safety/visible-text.ts";
import { groupLine } from "../../../state/conversation/open-lines.ts";
import { groupWords, toolWords } from "../../../state/conversation/tool-words.ts";
import type { GroupRow } from "../../../state/conversation/transcript-rows.ts";
import { duration } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import { Icon } from "../../ui/Icon.tsx";
import { CallLine } from "./CallLine.tsx";
import { useOpenLine } from "./open-lines-context.ts";
import styles from "./ToolGroup.module.css";
import { useLongCommand } from "./use-long-command.ts";

const t = texts.transcript.group;
const none: readonly ApprovalItem[] = [];

/** Calls without text between in one line: what was done, or the one that runs; opened, a line for each. */
export function ToolGroup({ group }: { group: GroupRow }) {
  const items = group.calls.map(({ item }) => item);
  const running = group.calls.findLast(({ item }) => item.status === "running");
  const isLong = useLongCommand(running?.item, running?.approvals ?? none);
  const [isOpen, toggle] = useOpenLine(groupLine(group.key), isLong);
  const ms = items.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  const now = running && toolWords(running.item, running.approvals);
  return (
    <div className={styles.group} data-testid="tool-group" data-running={running !== undefined}>
      <button
        type="button"
        className={styles.summary}
        data-testid="tool-group-summary"
        aria-expanded={isOpen}
        title={t.title}
        onClick={toggle}
      >
        {running ? <span className={styles.spin} aria-hidden="true" /> : null}
        <Icon name={isOpen ? "chevronDown" : "chevronRight"} />
        <span className={styles.what}>
          {now ? (
            <>
              {now.said} <code>{visibleText(now.thing)}</code>
            </>
          ) : (
            groupWords(items)
          )}
        </span>
        {!running && <span className={styles.took}>{t.took(duration(ms))}</span>}
      </button>
      {isOpen && (
        <div className={styles.lines}>
          {group.calls.map((call) => (
            <CallLine key={call.key} call={call} />
          ))}
        </div>
      )}
    </div>
  );
}
