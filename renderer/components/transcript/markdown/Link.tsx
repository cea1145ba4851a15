import { type MouseEvent, type ReactNode, use, useId, useState } from "react";
import { lookAtLink } from "../../../state/conversation/link-target.ts";
import { rich } from "../../../texts/rich.ts";
import { texts } from "../../../texts/texts.ts";
import { LinkContext } from "./link-context.ts";
import styles from "./Markdown.module.css";

const t = texts.transcript.link;

interface LinkProps {
  /** http, https or mailto. */
  href: string;
  /** What is read of it, with what is invisible. */
  text: string;
  children: ReactNode;
}

/** A link of somebody else's: where it leads stands beside it, and what may deceive asks before it is opened. */
export function Link({ href, text, children }: LinkProps) {
  const open = use(LinkContext);
  const [isAsking, setIsAsking] = useState(false);
  const id = useId();
  const { shown, doubts } = lookAtLink(text, href);
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    if (doubts.length > 0) setIsAsking(!isAsking);
    else open(href);
  };
  const close = () => setIsAsking(false);
  return (
    <>
      {/* Of its own direction: nothing before it turns it, or what stands after it, round. */}
      <a
        href={href}
        title={href}
        rel="noreferrer"
        dir="auto"
        aria-describedby={shown === null ? undefined : id}
        onClick={onClick}
        onAuxClick={onClick}
      >
        {children}
      </a>
      {shown !== null && (
        <bdi id={id} className={styles.leads} dir="ltr" data-testid="link-host" data-beside="">
          {t.leads(shown)}
        </bdi>
      )}
      {isAsking && (
        // biome-ignore lint/a11y/useSemanticElements: it stands in the middle of a line, where no fieldset may be
        <span
          className={styles.askLink}
          role="group"
          aria-label={t.open}
          data-testid="ask-link"
          data-beside=""
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            close();
          }}
        >
          {rich(t.leadsTo(doubts.join(" "), <code dir="ltr">{new URL(href).href}</code>))}
          <button
            type="button"
            className="btn"
            // biome-ignore lint/a11y/noAutofocus: the user has just asked for it
            autoFocus
            onClick={close}
          >
            {t.stay}
          </button>{" "}
          <button
            type="button"
            className="btn"
            onClick={() => {
              close();
              open(href);
            }}
          >
            {t.openIt}
          </button>
        </span>
      )}
    </>
  );
}
