import { useState } from "react";
import type { ConversationView } from "../../../shared/conversation/transcript.ts";
import type { AppInfo } from "../../../shared/ipc/setting-routes.ts";
import { levels, moreArguments, type PermissionRule, ruleText } from "../../../shared/safety/permissions.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { rich } from "../../texts/rich.ts";
import { texts } from "../../texts/texts.ts";
import card from "../ui/Card.module.css";
import startup from "../window/StartupErrors.module.css";
import { useWindowState } from "../window/window-context.ts";
import styles from "./LevelNotices.module.css";

const t = texts.approvals.upgrade;

/** What the user is to look at once since levels and rules mean something else than in earlier versions. */
export function LevelNotices({ view, info }: { view: ConversationView; info: AppInfo }) {
  const isOldAuto = (view.permissionMode ?? info.permissionMode) === "auto";
  if (!isOldAuto && info.rulesToReview.length === 0) return null;
  return (
    <div className={`col ${startup.startup}`}>
      {isOldAuto && <WorkHereNotice />}
      {info.rulesToReview.length > 0 && <RulesNotice rules={info.rulesToReview} />}
    </div>
  );
}

function WorkHereNotice() {
  const windowState = useWindowState();
  return (
    <section className={card.card} role="status" data-testid="confirm-work">
      <div className={card.head}>
        <b>{t.autoIsNow(levels.work.label)}</b>
      </div>
      <p>{t.autoAbout(levels.work.meaning, levels.ask.label)}</p>
      <div className={card.row}>
        <button
          type="button"
          className="btn primary"
          data-testid="use-work"
          onClick={() => windowState.confirmLevel("work")}
        >
          {t.use(levels.work.label)}
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
  return (
    <section className={card.card} role="status" data-testid="review-rules">
      <div className={card.head}>
        <b>{t.exactRules}</b>
      </div>
      <p>{t.exactRulesAbout(rules.length)}</p>
      {isOpen && (
        <ul className={styles.oldRules}>
          {rules.map((rule) => (
            <OldRule key={JSON.stringify(rule)} rule={rule} />
          ))}
        </ul>
      )}
      <div className={card.row}>
        {!isOpen && (
          <button type="button" className="btn" data-testid="look-at-rules" onClick={() => setOpen(true)}>
            {t.review}
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
          {t.keepAll}
        </button>
      </div>
    </section>
  );
}

function OldRule({ rule }: { rule: PermissionRule }) {
  const windowState = useWindowState();
  return (
    <li className={card.row} data-testid="old-rule">
      <span className={styles.what}>{visibleText(ruleText(rule))}</span>
      <button type="button" className="btn" onClick={() => windowState.reviewRule(rule, "exact")}>
        {t.keep}
      </button>
      <button type="button" className="btn" onClick={() => windowState.reviewRule(rule, "more")}>
        {rich(t.allowMore(<code>{visibleText(`${rule.command ?? ""}${moreArguments}`)}</code>))}
      </button>
      <button type="button" className="btn ghost" onClick={() => windowState.reviewRule(rule, "remove")}>
        {texts.common.remove}
      </button>
    </li>
  );
}
