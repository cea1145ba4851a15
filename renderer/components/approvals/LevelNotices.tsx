import { useState } from "react";
import type { ConversationView } from "../../../shared/conversation/transcript.ts";
import type { AppInfo } from "../../../shared/ipc.ts";
import { levels, moreWords, type PermissionRule, ruleInWords } from "../../../shared/safety/permissions.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { useWindowState } from "../window/window-context.ts";

/** What the user is to look at once since levels and rules mean something else than in earlier versions. */
export function LevelNotices({ view, info }: { view: ConversationView; info: AppInfo }) {
  const isOldAuto = (view.permissionMode ?? info.permissionMode) === "auto";
  if (!isOldAuto && info.rulesToReview.length === 0) return null;
  return (
    <div className="col startup">
      {isOldAuto && <WorkHereNotice />}
      {info.rulesToReview.length > 0 && <RulesNotice rules={info.rulesToReview} />}
    </div>
  );
}

function WorkHereNotice() {
  const windowState = useWindowState();
  return (
    <section className="card" data-testid="confirm-work">
      <div className="head">
        <b>“Auto” is now “{levels.work.label}”</b>
      </div>
      <p>
        {levels.work.meaning} Commands run in a fence, any command, not only simple ones. Until you choose,
        this counts as “{levels.ask.label}” with edits allowed.
      </p>
      <div className="row">
        <button
          type="button"
          className="btn primary"
          data-testid="use-work"
          onClick={() => windowState.confirmLevel("work")}
        >
          Use {levels.work.label}
        </button>
        <button
          type="button"
          className="btn"
          data-testid="use-ask"
          onClick={() => windowState.confirmLevel("ask")}
        >
          {levels.ask.label}
        </button>
      </div>
    </section>
  );
}

function RulesNotice({ rules }: { rules: readonly PermissionRule[] }) {
  const windowState = useWindowState();
  const [isOpen, setOpen] = useState(false);
  const many = `${rules.length} of your rules`;
  return (
    <section className="card" data-testid="review-rules">
      <div className="head">
        <b>Rules for commands are exact now</b>
      </div>
      <p>
        {many} meant “begins with” in an earlier version. Each now allows that command alone, in the folder
        itself.
      </p>
      {isOpen && (
        <ul className="old-rules">
          {rules.map((rule) => (
            <OldRule key={JSON.stringify(rule)} rule={rule} />
          ))}
        </ul>
      )}
      <div className="row">
        {!isOpen && (
          <button type="button" className="btn" data-testid="look-at-rules" onClick={() => setOpen(true)}>
            Look at them
          </button>
        )}
        <button
          type="button"
          className="btn"
          data-testid="keep-rules"
          onClick={() => {
            for (const rule of rules) windowState.reviewRule(rule, "exact");
          }}
        >
          Keep all as exact
        </button>
      </div>
    </section>
  );
}

function OldRule({ rule }: { rule: PermissionRule }) {
  const windowState = useWindowState();
  return (
    <li className="row" data-testid="old-rule">
      <span className="what">{visibleText(ruleInWords(rule))}</span>
      <button type="button" className="btn" onClick={() => windowState.reviewRule(rule, "exact")}>
        Keep as exact
      </button>
      <button type="button" className="btn" onClick={() => windowState.reviewRule(rule, "more")}>
        Allow <code>{visibleText(`${rule.command ?? ""}${moreWords}`)}</code>
      </button>
      <button type="button" className="btn ghost" onClick={() => windowState.reviewRule(rule, "remove")}>
        Remove
      </button>
    </li>
  );
}
