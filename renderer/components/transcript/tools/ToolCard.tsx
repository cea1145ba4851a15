import { memo, use } from "react";
import { withoutTagLines } from "../../../../shared/conversation/data-marks.ts";
import {
  type ApprovalItem,
  type ToolItem,
  waitedMs,
} from "../../../../shared/conversation/transcript-items.ts";
import { denialIn, refusalIn } from "../../../../shared/conversation/unfinished-call.ts";
import { visibleText } from "../../../../shared/safety/visible-text.ts";
import { editDiff } from "../../../state/conversation/edit-diff.ts";
import { latestLine } from "../../../state/conversation/tool-summary.ts";
import { toolWords } from "../../../state/conversation/tool-words.ts";
import { isWaiting } from "../../../state/conversation/transcript-rows.ts";
import { decisionWords, duration, wholeSeconds } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import { RowActionsContext } from "../../sessions/row-actions.ts";
import { Icon, type IconName } from "../../ui/Icon.tsx";
import { useNow } from "../../ui/use-now.ts";
import { Counts } from "./DiffView.tsx";
import { useOpenLine } from "./open-lines-context.ts";
import styles from "./ToolCard.module.css";
import { ToolInside } from "./ToolInside.tsx";
import { useLongCommand } from "./use-long-command.ts";

export type { ToolItem } from "../../../../shared/conversation/transcript-items.ts";

const t = texts.transcript.tool;

interface ToolCardProps {
  item: ToolItem;
  /** What the user was asked about it. */
  approvals?: readonly ApprovalItem[];
  /** Its change shows by itself. */
  isNewestEdit?: boolean | undefined;
  /** It waits for the user's word, and its card stands elsewhere. */
  waits?: boolean;
  /** What was done, in place of the tool's words. */
  said?: string;
  /** What it was done to, in place of what tells most of the input. */
  what?: string;
}

const none: readonly ApprovalItem[] = [];

/** One call in a line: what happened, to which thing, with which result, how long; opened, its input and output. */
export const ToolCard = memo(function ToolCard(props: ToolCardProps) {
  const { item, approvals = none, isNewestEdit = false, said, what } = props;
  const waits = props.waits === true || approvals.some(isWaiting);
  const isLong = useLongCommand(props.waits ? undefined : item, approvals);
  const isByItself = isLong || (isNewestEdit && item.status === "done");
  const [isOpen, toggle, isTouched] = useOpenLine(item.key, isByItself);
  const words = toolWords(item, approvals);
  const state = stateOf(item, approvals, waits);
  const edit = item.status === "done" ? editDiff(item, approvals) : null;
  const added = edit?.reduce((sum, file) => sum + file.added, 0) ?? 0;
  const removed = edit?.reduce((sum, file) => sum + file.removed, 0) ?? 0;
  const { openFile } = use(RowActionsContext);
  const path = edit?.length === 1 ? edit[0]?.path : undefined;
  const decided = approvals.findLast((one) => !isWaiting(one));
  const decision = state === "denied" ? denialWords(item, decided) : decided ? allowedWords(decided) : null;
  return (
    <div
      className={edit ? `${styles.tool} ${styles.edit}` : styles.tool}
      data-testid="tool-card"
      data-key={item.key}
      data-status={item.status}
      data-mark={state}
    >
      <button
        type="button"
        className={styles.line}
        data-testid="tool-summary"
        aria-expanded={isOpen}
        title={t.title}
        onClick={toggle}
      >
        <Mark state={state} icon={words.icon} />
        <span className={styles.what}>
          <span className={styles.said}>
            {state === "denied" ? t.deniedWhat : state === "stopped" ? t.stoppedWhat : (said ?? words.said)}
          </span>{" "}
          <code>{visibleText(what ?? words.thing)}</code>
        </span>
        {item.status === "running" && item.output !== "" && (
          <code className={styles.latest}>{latestLine(withoutTagLines(item.output))}</code>
        )}
        {decision !== null && (
          <span className={styles.decided} data-testid="decision" data-status={decided?.status ?? state}>
            {visibleText(decision)}
          </span>
        )}
        {edit ? (
          <Counts added={added} removed={removed} />
        ) : (
          words.result !== null &&
          state !== "denied" &&
          state !== "stopped" && <span className={styles.result}>{visibleText(words.result)}</span>
        )}
        <Time item={item} approvals={approvals} waits={waits} />
        <Icon name={isOpen ? "chevronDown" : "chevronRight"} />
      </button>
      {openFile && path !== undefined && (
        <button
          type="button"
          className={`btn icon ghost ${styles.open}`}
          data-testid="open-file"
          title={texts.panel.files.open(path)}
          aria-label={texts.panel.files.open(path)}
          onClick={() => openFile(path)}
        >
          <Icon name="open" size={14} />
        </button>
      )}
      {isOpen && <ToolInside item={item} edit={edit} isBrief={isByItself && !isTouched} />}
    </div>
  );
});

type State = ToolItem["status"] | "waiting" | "denied";

function stateOf({ status, output }: ToolItem, approvals: readonly ApprovalItem[], waits: boolean): State {
  if (status === "running") return waits ? "waiting" : "running";
  const isDenied =
    approvals.at(-1)?.status === "denied" || denialIn(output) !== null || refusalIn(output) !== null;
  if (status === "failed" && isDenied) return "denied";
  return status;
}

/** What refused it, or why the user did not allow it. Where they did not say, the line itself says enough. */
function denialWords({ output }: ToolItem, decided: ApprovalItem | undefined): string | null {
  const refusal = refusalIn(output);
  if (refusal !== null) return refusal;
  const reason = decided?.reason ?? denialIn(output)?.reason;
  return reason ? texts.approvals.decided.deniedBecause(reason) : null;
}

const allowedWords = (decided: ApprovalItem) =>
  decided.status === "stopped" ? null : decisionWords(decided);

const shapes = { failed: "close", denied: "hand", stopped: "stop" } as const;

/** Each state has a shape of its own. */
function Mark({ state, icon }: { state: State; icon: IconName }) {
  if (state === "running") return <span className={styles.spin} role="img" aria-label={t.running} />;
  const shape = state === "done" ? icon : state === "waiting" ? "hand" : shapes[state];
  return (
    <span className={`${styles.mark} ${styles[state]}`} role="img" aria-label={t[state]}>
      <Icon name={shape} />
    </span>
  );
}

/** Without the time that the user took. */
function Time({
  item: { durationMs, startedAt },
  approvals,
  waits,
}: Required<Pick<ToolCardProps, "item" | "approvals" | "waits">>) {
  if (durationMs === null) {
    // While the user is asked beside it, the call waits.
    return waits ? null : <Elapsed since={startedAt + waitedMs(approvals, startedAt)} />;
  }
  return durationMs === 0 ? null : <span className={styles.ms}>{duration(durationMs)}</span>;
}

const Elapsed = ({ since }: { since: number }) => (
  <span className={styles.ms}>{wholeSeconds(useNow() - since)}</span>
);
