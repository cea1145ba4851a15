import { costText, tokensOf } from "../../../shared/conversation/cost.ts";
import type { Repair } from "../../../shared/conversation/messages.ts";
import { modelName } from "../../../shared/conversation/model-name.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./FirstHeard.module.css";

const t = texts.voice.repair;

interface FirstHeardProps {
  repair: Repair;
  /** Absent where nothing can be taken back. */
  onTakeBack?: (() => void) | undefined;
}

/** What was first heard of a prompt that a model mended, with the way back to it. */
export function FirstHeard({ repair: { heard, model, usage, usd }, onTakeBack }: FirstHeardProps) {
  if (heard === undefined) return null;
  return (
    <p className={styles.firstHeard} data-testid="first-heard" data-beside="">
      <span title={t.by(modelName(model), costText(tokensOf(usage), usd))}>{t.heard(heard)}</span>
      {onTakeBack && (
        <button
          type="button"
          className="btn small ghost"
          title={t.takeBackTitle(heard)}
          aria-label={t.takeBackTitle(heard)}
          onClick={onTakeBack}
        >
          {t.takeBack}
        </button>
      )}
    </p>
  );
}
