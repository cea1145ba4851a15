import { type KeyboardEvent, useEffect, useRef } from "react";
import { keyLabel } from "../../state/conversation/wording.ts";
import { answerTo, type QuickState } from "../../state/quick-state.ts";
import { useStore } from "../../state/store.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { ErrorCard } from "../transcript/ErrorCard.tsx";
import { LinkContext } from "../transcript/markdown/link-context.ts";
import { QuickAnswer } from "./QuickAnswer.tsx";
import { QuickBox } from "./QuickBox.tsx";

/** Enter asks, Ctrl/Cmd+Enter goes on in the main window, Esc closes while the run goes on. */
export function QuickPrompt({ state }: { state: QuickState }) {
  const info = useStore(state.info);
  const asked = useStore(state.asked);
  const view = useStore(state.view);
  const failure = useStore(state.failure);
  const openings = useStore(state.openings);
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
      <div ref={card} className="quick-window" onKeyDown={onKeyDown}>
        <QuickBox key={openings} state={state} />
        <div className="quick-body">
          {failure && (
            <div role="alert">
              <ErrorCard error={failure} />
            </div>
          )}
          {asked && <p className="asked">{asked.text}</p>}
          {asked && view?.conversationId === asked.conversationId && (
            <RowActionsContext value={state}>
              <QuickAnswer
                items={answer}
                view={view}
                trust={state.trust}
                modelLabel={info?.modelLabel ?? "the model"}
              />
            </RowActionsContext>
          )}
        </div>
        <footer className="foot">
          <span className="model">
            {info?.modelLabel}
            {info?.modelHost !== undefined && ` at ${info.modelHost}`}
          </span>
          <span className="sp" />
          <span>Enter send</span>
          <button
            type="button"
            className="link"
            title="Open this conversation in the main window"
            onClick={state.openInWindow}
          >
            {keyLabel(info?.platform, "Enter")} open in window
          </button>
          <button type="button" className="link" title="Close; the run goes on" onClick={state.close}>
            Esc close, the run goes on
          </button>
        </footer>
      </div>
    </LinkContext>
  );
}
