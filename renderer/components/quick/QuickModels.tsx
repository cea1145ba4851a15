import { type KeyboardEvent, useEffect, useRef } from "react";
import { effortFor } from "../../../shared/conversation/effort.ts";
import { modelName } from "../../../shared/conversation/model-name.ts";
import type { ModelRow } from "../../../shared/ipc/model-routes.ts";
import { isAnswering } from "../../state/models.ts";
import type { QuickState } from "../../state/quick-state.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Strokes } from "../window/ModelMenu.tsx";
import styles from "./QuickModels.module.css";

const t = texts.window.model;
const providers: Readonly<Record<string, string>> = t.providers;

/** Who answers here, and the way to change it. */
export function QuickModelButton({ state }: { state: QuickState }) {
  const info = useStore(state.info);
  const chosen = useStore(state.models.state);
  const isOpen = useStore(state.isChoosingModel);
  const button = useRef<HTMLButtonElement>(null);
  const host = chosen ? chosen.modelHost : info?.modelHost;
  const model = chosen?.modelName ?? modelName(info?.modelLabel ?? "");
  const effort = chosen && effortFor(chosen.effort, chosen.efforts);
  const name = host === undefined ? model : texts.quick.modelAt(model, host);
  const label =
    effort === null || effort === "default" ? name : texts.quick.modelEffort(name, t.efforts[effort]);
  // Closed again: the keyboard comes back from a list that is gone.
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <button
      ref={button}
      type="button"
      className={`btn small ghost ${styles.model}`}
      data-testid="quick-model"
      aria-haspopup="menu"
      aria-expanded={isOpen}
      title={texts.quick.modelTitle(name)}
      onClick={() => (isOpen ? state.endChoice() : void state.chooseModel())}
    >
      {effort !== null && effort !== "default" && <Strokes effort={effort} />}
      <span className={styles.name}>{label}</span>
      <Icon name="chevronDown" size={14} />
    </button>
  );
}

/** The models that may answer, in the card itself: the window is no higher than what it shows. */
export function QuickModels({ state }: { state: QuickState }) {
  const list = useStore(state.models.list);
  const chosen = useStore(state.models.state);
  const box = useRef<HTMLDivElement>(null);
  const models = [...(list?.models ?? []), ...(list?.recent ?? [])];
  const isChosen = (row: ModelRow) => chosen !== null && isAnswering(row, chosen, models);
  useEffect(() => {
    const items = list && box.current?.querySelectorAll<HTMLElement>("button");
    const now = box.current?.querySelector<HTMLElement>('[aria-checked="true"]');
    (now ?? items?.[0] ?? box.current)?.focus();
  }, [list]);
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(box.current?.querySelectorAll("button") ?? [])];
    const at = items.findIndex((item) => item.matches(":focus"));
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") state.endChoice();
    else if (next === undefined) return;
    else items.at(next % Math.max(1, items.length))?.focus();
    event.preventDefault();
  };
  return (
    <div
      ref={box}
      role="menu"
      tabIndex={-1}
      className={styles.list}
      aria-label={t.menu}
      aria-busy={list === null}
      data-testid="quick-models"
      onKeyDown={onKeyDown}
    >
      {list === null && <p>{t.asking}…</p>}
      {models.map((row) => (
        <button
          key={row.id}
          type="button"
          role="menuitemradio"
          tabIndex={-1}
          aria-checked={isChosen(row)}
          data-id={row.id}
          title={row.id}
          onClick={() => {
            state.endChoice(row.id);
            state.opened.emit();
          }}
        >
          <span aria-hidden="true">{isChosen(row) ? "✓" : ""}</span>
          {row.name}
          {chosen && row.provider !== chosen.provider && (
            <small>{providers[row.provider] ?? row.provider}</small>
          )}
        </button>
      ))}
      {list?.problem && (
        <p role="alert">
          <CodeWords text={t.problem(`${list.problem.message} ${list.problem.hint ?? ""}`.trim())} />
        </p>
      )}
    </div>
  );
}
