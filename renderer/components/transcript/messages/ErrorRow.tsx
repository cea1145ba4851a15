import { use } from "react";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import { texts } from "../../../texts/texts.ts";
import { RowActionsContext } from "../../sessions/row-actions.ts";
import { ErrorCard } from "./ErrorCard.tsx";
import { RetryMenu } from "./RetryMenu.tsx";

const t = texts.transcript;

interface ErrorRowProps {
  item: Extract<TranscriptItem, { kind: "error" }>;
  onRetry: () => void;
}

/** Another model may have what this one has not. */
const otherModelHelps: ReadonlySet<string> = new Set(["no_credit", "not_found"]);

/** A failed run, with what helps against it; only the last one can be asked again. */
export function ErrorRow({ item: { error, canRetry }, onRetry }: ErrorRowProps) {
  const { changeKey, chooseModel } = use(RowActionsContext);
  const { code, keyVariable } = error;
  const givesKey = changeKey && keyVariable !== undefined;
  const hint = code === "auth" ? t.keyRefused : undefined;
  return (
    // The button does what the hint would have the user type.
    <ErrorCard error={givesKey ? { ...error, hint } : error}>
      {givesKey && (
        <button
          type="button"
          className="btn"
          title={t.changeKeyTitle(keyVariable)}
          onClick={() => changeKey(keyVariable)}
        >
          {code === "no_key" ? t.addKey : t.changeKey}
        </button>
      )}
      {chooseModel && otherModelHelps.has(code) && (
        <RetryMenu label={t.chooseModel} onChoose={(model) => chooseModel(model, canRetry)} />
      )}
      {/* Asking again does not fill an account. */}
      {canRetry && code !== "no_credit" && (
        <button type="button" className="btn" title={t.retryTitle} onClick={onRetry}>
          {texts.common.retry}
        </button>
      )}
    </ErrorCard>
  );
}
