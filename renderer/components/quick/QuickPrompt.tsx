import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { keyLabel } from "../../state/conversation/wording.ts";
import { answerTo, type QuickState } from "../../state/quick-state.ts";
import { useSignal } from "../../state/signal.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { LinkContext } from "../transcript/markdown/link-context.ts";
import { ErrorCard } from "../transcript/messages/ErrorCard.tsx";
import { QuickAnswer } from "./QuickAnswer.tsx";
import { QuickBox } from "./QuickBox.tsx";
import styles from "./QuickPrompt.module.css";

/** Enter asks, Ctrl/Cmd+Enter goes on in the main window, Esc closes while the run goes on. */
export function QuickPrompt({ state }: { state: QuickState }) {
  const info = useStore(state.info);
  const asked = useStore(state.asked);
  const view = useStore(state.view);
  const failure = useStore(state.failure);
  const [openings, setOpenings] = useState(0);
  useSignal(state.opened, () => setOpenings((count) => count + 1));
  const card = useRef<HTMLDivElement>(null);

  // The window is as high as the card: the rest of a transparent window is black where nothing composes it.
  useEffect(() => {
    if (!card.current) return;
    const observer = new ResizeObserver(([entry]) => {
      const [size] = entry?.borderBoxSize ?? [];
      if (size) state.fit(size.blockSize);
    });
    observer.observe(card.current);
    return () => observer.disconnect();
  }, [state]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    // What the text box had a use for: Esc closes its list first.
    if (event.defaultPrevented) return;
    if (event.key === "Escape") state.close();
    else if ((event.ctrlKey || event.metaKey) && event.shiftKey && /^[yx]$/i.test(event.key))
      state.answerOldestApproval(event.key.toLowerCase() === "y");
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) state.openInWindow();
    else return;
    event.preventDefault();
  };

  const answer = asked && view ? answerTo(asked, view) : null;
  return (
    <LinkContext value={state.openLink}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the whole window, wherever the focus is */}
      <div ref={card} className={styles.quickWindow} onKeyDown={onKeyDown}>
        <QuickBox key={openings} state={state} />
        <div className={styles.quickBody}>
          {failure && (
            <div role="alert">
              <ErrorCard error={failure} />
            </div>
          )}
          {asked && (
            <p className={styles.asked} data-testid="asked">
              {asked.text}
            </p>
          )}
          {asked && view?.conversationId === asked.conversationId && (
            <RowActionsContext value={state}>
              <QuickAnswer
                items={answer}
                view={view}
                trust={state.trust}
                modelLabel={info?.modelLabel ?? texts.common.theModel}
              />
            </RowActionsContext>
          )}
        </div>
        <footer className={styles.foot}>
          <span className={styles.model}>
            {info?.modelHost === undefined
              ? info?.modelLabel
              : texts.quick.modelAt(info.modelLabel, info.modelHost)}
          </span>
          <span className="sp" />
          <span>{texts.quick.sendKey}</span>
          <button
            type="button"
            className={styles.link}
            title={texts.quick.openTitle}
            onClick={state.openInWindow}
          >
            {texts.quick.open(keyLabel(info?.platform, texts.common.keys.enter))}
          </button>
          <button type="button" className={styles.link} title={texts.quick.closeTitle} onClick={state.close}>
            {texts.quick.close}
          </button>
        </footer>
      </div>
    </LinkContext>
  );
}
