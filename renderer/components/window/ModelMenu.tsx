import { Fragment, useCallback, useEffect, useRef, useState } from "react";
import { type Effort, effortFor, effort as effortShape } from "../../../shared/conversation/effort.ts";
import type { ModelRow, ModelState } from "../../../shared/ipc/model-routes.ts";
import type { AppInfo } from "../../../shared/ipc/setting-routes.ts";
import { isAnswering } from "../../state/models.ts";
import { useSignal } from "../../state/signal.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon } from "../ui/Icon.tsx";
import menu from "../ui/Menu.module.css";
import { usePopover } from "../ui/use-popover.ts";
import styles from "./ModelMenu.module.css";
import { useWindowState } from "./window-context.ts";

const t = texts.window.model;
const providers: Readonly<Record<string, string>> = t.providers;

/** Who answers and how much it thinks, and the way to change it. */
export function ModelMenu({ info }: { info: AppInfo }) {
  const { models, modelsWanted } = useWindowState();
  const state = useStore(models.state);
  const [isOpen, setOpen] = useState(false);
  useSignal(modelsWanted, () => setOpen(true));
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const { provider, modelHost, whyOffline } = state ?? info;
  const name = state?.modelName ?? info.modelLabel;
  const number = / [\d.]+$/.exec(name)?.[0] ?? "";
  const effort = state && effortFor(state.effort, state.efforts);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={provider === "offline" ? `pill ${styles.model} amber` : `pill ${styles.model}`}
        data-testid="model"
        data-model={state?.modelId ?? undefined}
        data-effort={effort ?? undefined}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={t.current(name, t.efforts[effort ?? "default"])}
        title={whyOffline ? texts.window.noModel[whyOffline] : modelTitle(provider, modelHost, state)}
        disabled={state === null}
        onClick={() => setOpen(true)}
      >
        {effort !== null && effort !== "default" && <Strokes effort={effort} />}
        <span className={styles.name}>
          {name.slice(0, name.length - number.length)}
          <span className={styles.number}>{number}</span>
        </span>
        {effort !== null && effort !== "default" && (
          <span className={styles.effort} data-part="effort">
            {t.efforts[effort]}
          </span>
        )}
        {modelHost !== undefined && (
          // The start is cut when it is too long: the end says whose host it is.
          <span className={styles.host} data-testid="model-host">
            <bdi>{texts.window.modelAt(modelHost)}</bdi>
          </span>
        )}
        <Icon name="chevronDown" />
      </button>
      {isOpen && state && <Menu state={state} button={button} onClose={close} />}
    </>
  );
}

function modelTitle(provider: string, modelHost: string | undefined, state: ModelState | null): string {
  const where =
    modelHost === undefined ? texts.window.provider(provider) : texts.window.providerAt(provider, modelHost);
  return state?.modelId == null ? where : `${state.modelId} · ${where}`;
}

/** Three strokes, as many dark as it uses. */
export function Strokes({ effort }: { effort: Effort }) {
  const dark = { default: 0, off: 0, low: 1, medium: 2, high: 3 }[effort];
  return (
    <span className={styles.strokes} aria-hidden="true">
      {[1, 2, 3].map((stroke) => (
        <i key={stroke} className={stroke <= dark ? styles.on : undefined} />
      ))}
    </span>
  );
}

interface MenuProps {
  state: ModelState;
  button: React.RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Menu({ state, button, onClose }: MenuProps) {
  const { models, setUp, settingsPage } = useWindowState();
  const list = useStore(models.list);
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = usePopover(box, button, onClose, true);
  useEffect(() => {
    void models.open();
    return models.close;
  }, [models]);
  useFocusKept(box, list !== null);
  const leave = () => {
    onClose();
    button.current?.focus();
  };
  const { modelId, modelName: name, provider } = state;
  const own: ModelRow[] = modelId === null ? [] : [{ id: modelId, provider, name, price: null }];
  const listed = list?.models ?? [];
  const all = [...listed, ...(list?.recent ?? [])];
  const isNamed = listed.some((row) => isAnswering(row, state, listed));
  const item = (row: ModelRow) => (
    <ModelItem
      key={row.id}
      row={row}
      isChosen={isAnswering(row, state, listed)}
      onChoose={() => {
        void models.choose({ model: row.id });
        leave();
      }}
    />
  );
  const rowsOf = (one: string) => listed.filter((row) => row.provider === one).map(item);
  const others = [...new Set(listed.map((row) => row.provider))].filter((one) => one !== provider);
  return (
    <div
      ref={box}
      popover="auto"
      role="menu"
      className={`${menu.menuCard} ${styles.menu}`}
      data-testid="model-menu"
      aria-label={t.menu}
      aria-busy={list === null}
      onKeyDown={(event) => {
        const turned = { ArrowRight: "ArrowDown", ArrowLeft: "ArrowUp" }[event.key];
        onKeyDown(turned === undefined ? event : { ...event, key: turned, ...stopping(event) });
      }}
    >
      <p className={styles.head}>
        <b>{providers[provider] ?? provider}</b>
        {listed.some(({ price }) => price !== null) && <span>{t.perMillion}</span>}
      </p>
      <div className={styles.models} data-testid="model-list">
        {!isNamed && own.map(item)}
        {rowsOf(provider)}
        {others.map((other) => (
          <Fragment key={other}>
            <p className={styles.head} data-testid="model-provider">
              <b>{providers[other] ?? other}</b>
            </p>
            {rowsOf(other)}
          </Fragment>
        ))}
        {list !== null && list.recent.length > 0 && (
          <>
            <p className={styles.head}>{t.recent}</p>
            {list.recent.filter((row) => !isAnswering(row, state, all)).map(item)}
          </>
        )}
      </div>
      {list === null && <p className={styles.said}>{t.asking}…</p>}
      {list?.problem && (
        <p className={styles.said} role="alert" data-testid="model-problem">
          <CodeWords text={t.problem(`${list.problem.message} ${list.problem.hint ?? ""}`.trim())} />
        </p>
      )}
      <hr />
      <EffortRow state={state} />
      <hr />
      <button
        type="button"
        role="menuitemcheckbox"
        tabIndex={-1}
        aria-checked={state.isForNew}
        aria-disabled={state.isForNew}
        data-testid="model-for-new"
        onClick={() => !state.isForNew && void models.keep()}
      >
        {state.isForNew ? `✓ ${t.forNewNow}` : t.forNew}
      </button>
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        data-testid="model-keys"
        onClick={() => {
          onClose();
          if (modelId === null) setUp.open();
          else settingsPage.open("models");
        }}
      >
        {modelId === null ? t.addKey : t.keys}
      </button>
    </div>
  );
}

/** The same event under another key. */
const stopping = (event: React.KeyboardEvent) => ({
  preventDefault: () => event.preventDefault(),
  stopPropagation: () => event.stopPropagation(),
});

/** When the list comes, what had the keyboard may be another element. */
function useFocusKept(box: React.RefObject<HTMLElement | null>, isThere: boolean): void {
  useEffect(() => {
    const shown = box.current;
    if (!isThere || !shown || shown.contains(document.activeElement)) return;
    const items = shown.querySelectorAll<HTMLElement>('[role^="menuitem"]');
    (shown.querySelector<HTMLElement>('[aria-checked="true"]') ?? items[0])?.focus();
  }, [box, isThere]);
}

interface ModelItemProps {
  row: ModelRow;
  isChosen: boolean;
  onChoose: () => void;
}

function ModelItem({ row: { id, name, price }, isChosen, onChoose }: ModelItemProps) {
  return (
    <button
      type="button"
      role="menuitemradio"
      tabIndex={-1}
      aria-checked={isChosen}
      data-testid="model-choice"
      data-id={id}
      title={id}
      onClick={onChoose}
    >
      <span aria-hidden="true">{isChosen ? "✓" : ""}</span>
      <span className={styles.about}>{name}</span>
      {price && <small>{t.price(dollars(price.input), dollars(price.output))}</small>}
    </button>
  );
}

const dollars = (price: number) => `$${price}`;

/** How much it thinks: what the model does not take is greyed, and below it stands why. */
function EffortRow({ state: { effort: chosen, efforts } }: { state: ModelState }) {
  const { models } = useWindowState();
  const counts = effortFor(chosen, efforts);
  const said = [efforts.why, efforts.offIsLeast && t.offIsLeast, efforts.isGuess && t.guess].filter(Boolean);
  return (
    <div>
      <p className={styles.head}>
        <b>{t.effort}</b>
        <span>{t.effortAbout}</span>
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu */}
      <div className={styles.segments} role="group" aria-label={t.effort}>
        {effortShape.options.map((effort) => {
          const isTaken = effort === "default" || efforts.taken.includes(effort);
          return (
            <button
              key={effort}
              type="button"
              role="menuitemradio"
              tabIndex={-1}
              aria-checked={counts === effort}
              aria-disabled={!isTaken}
              data-testid={`effort-${effort}`}
              title={isTaken ? undefined : (efforts.why ?? undefined)}
              onClick={() => isTaken && void models.choose({ effort })}
            >
              {t.efforts[effort]}
            </button>
          );
        })}
      </div>
      {said.length > 0 && (
        <p className={styles.said} data-testid="effort-why">
          {said.join(" ")}
        </p>
      )}
    </div>
  );
}
