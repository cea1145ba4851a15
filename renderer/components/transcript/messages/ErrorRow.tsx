import { use } from "react";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import type { ModelState } from "../../../../shared/ipc/model-routes.ts";
import { Store, useStore } from "../../../state/store.ts";
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
/** It may be over soon; another provider may have no such trouble. */
const passes: ReadonlySet<string> = new Set(["rate_limit", "overloaded", "server", "timeout"]);
/** The buttons do what the hints of main would have the user type. */
const keyHints: Readonly<Record<string, string>> = { auth: t.keyRefused, no_key: t.keyMissing };

const nobody = new Store<ModelState | null>(null);

/** A failed run, with the ways out of it, the best one first; only the last one can be asked again. */
export function ErrorRow({ item: { error, canRetry }, onRetry }: ErrorRowProps) {
  const { changeKey, chooseModel, modelState = nobody } = use(RowActionsContext);
  const other = useStore(modelState)?.other;
  const { code, keyVariable } = error;
  const isPassing = passes.has(code);
  const isOfProvider = keyVariable !== undefined || isPassing || code === "no_credit";
  const givesKey = changeKey !== undefined && keyVariable !== undefined;
  const answers = canRetry && isOfProvider ? other : undefined;
  const choosesModel =
    chooseModel !== undefined && (otherModelHelps.has(code) || (code === "no_key" && !answers));
  const first = givesKey ? "key" : isPassing ? "retry" : answers ? "other" : choosesModel ? "menu" : "retry";
  const look = (way: typeof first) => (way === first ? "btn primary" : "btn");
  // Asking again does not fill an account.
  const retry = canRetry && code !== "no_credit" && (
    <button type="button" className={look("retry")} title={t.retryTitle} onClick={onRetry}>
      {texts.common.retry}
    </button>
  );
  return (
    <ErrorCard error={givesKey ? { ...error, hint: keyHints[code] } : error}>
      {givesKey && (
        <button
          type="button"
          className={look("key")}
          title={t.changeKeyTitle(keyVariable)}
          onClick={() => changeKey(keyVariable)}
        >
          {code === "no_key" ? t.addKey : t.changeKey}
        </button>
      )}
      {isPassing && retry}
      {chooseModel && answers && (
        <button
          type="button"
          className={look("other")}
          data-testid="answer-with"
          title={t.answerWithTitle}
          onClick={() => chooseModel(answers.id, true)}
        >
          {t.answerWith(answers.name)}
        </button>
      )}
      {choosesModel && (
        <RetryMenu
          label={t.chooseModel}
          isFilled={first === "menu"}
          onChoose={(model) => chooseModel(model, canRetry)}
        />
      )}
      {!isPassing && retry}
    </ErrorCard>
  );
}
