import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { modelName } from "../../../../shared/conversation/model-name.ts";
import type { ModelRow } from "../../../../shared/ipc/model-routes.ts";
import { useStore } from "../../../state/store.ts";
import { texts } from "../../../texts/texts.ts";
import { CodeWords } from "../../ui/CodeWords.tsx";
import { Icon } from "../../ui/Icon.tsx";
import menu from "../../ui/Menu.module.css";
import { usePopover } from "../../ui/use-popover.ts";
import { useWindowState } from "../../window/window-context.ts";

const t = texts.transcript;
const providers: Readonly<Record<string, string>> = texts.window.model.providers;

interface RetryMenuProps {
  /** Id of the model that gave this reply. */
  model?: string | undefined;
  /** The button in words. Absent: a small sign. */
  label?: string | undefined;
  /** It is the best of the buttons beside it. */
  isFilled?: boolean;
  onChoose: (model: string) => void;
}

/** The models that may answer again, in a menu that opens from a button. */
export function RetryMenu({ model, label, isFilled = false, onChoose }: RetryMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={label === undefined ? "btn small ghost" : isFilled ? "btn primary" : "btn"}
        data-testid="retry-with"
        aria-label={label === undefined ? t.anotherModel : undefined}
        title={t.anotherModel}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        {label}
        <Icon name="chevronDown" size={14} />
      </button>
      {isOpen && <Menu model={model} button={button} onChoose={onChoose} onClose={close} />}
    </>
  );
}

interface MenuProps extends Omit<RetryMenuProps, "label" | "isFilled"> {
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Menu({ model, button, onChoose, onClose }: MenuProps) {
  const { models } = useWindowState();
  const list = useStore(models.list);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void models.open();
    return models.close;
  }, [models]);
  const onKeyDown = usePopover(box, button, onClose, true);
  useEffect(() => {
    if (list !== null) box.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, [list]);
  const answering = useStore(models.state)?.provider;
  const now = model === undefined ? null : modelName(model);
  const about = (row: Pick<ModelRow, "id" | "provider">) => {
    if (row.provider !== answering) return providers[row.provider] ?? row.provider;
    return modelName(row.id) === now ? t.thisOne : null;
  };
  return (
    <div
      ref={box}
      popover="auto"
      role="menu"
      tabIndex={-1}
      className={menu.menuCard}
      data-testid="retry-menu"
      aria-label={t.anotherModel}
      aria-busy={list === null}
      onKeyDown={onKeyDown}
    >
      {list === null && <p className={menu.said}>{texts.window.model.asking}…</p>}
      {[...(list?.models ?? []), ...(list?.recent ?? [])].map(({ id, provider, name }) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          data-testid="retry-choice"
          data-id={id}
          title={id}
          onClick={() => {
            onClose();
            button.current?.focus();
            onChoose(id);
          }}
        >
          {name}
          {about({ id, provider }) && <small>{about({ id, provider })}</small>}
        </button>
      ))}
      {list?.problem && (
        <p className={menu.said} role="alert">
          <CodeWords
            text={texts.window.model.problem(`${list.problem.message} ${list.problem.hint ?? ""}`.trim())}
          />
        </p>
      )}
    </div>
  );
}
