import { memo, useState } from "react";
import type { TranscriptItem } from "../../shared/transcript.ts";
import { originLabel, timeOfDay } from "../state/wording.ts";

/** Longest prompt shown whole, in UTF-16 units: a pasted log must not bury the conversation. */
const maxChars = 1800;
const count = new Intl.NumberFormat("en");

export type UserItem = Extract<TranscriptItem, { kind: "user" }>;

export const UserMessage = memo(function UserMessage({ item }: { item: UserItem }) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = item.text.length > maxChars;
  const isForeign = item.source === "loopback" || item.source === "file";
  return (
    <article
      className="me"
      data-testid="message-user"
      data-key={item.key}
      data-origin={item.origin}
      data-source={item.source ?? undefined}
      aria-label="You"
    >
      <div className="meta">
        {item.origin !== "typed" && (
          <>
            <span className={isForeign ? "foreign" : undefined}>{originLabel(item.origin, item.source)}</span>
            <span aria-hidden="true">·</span>
          </>
        )}
        <time dateTime={new Date(item.at).toISOString()}>{timeOfDay(item.at)}</time>
      </div>
      <div className="said">{isLong && !isWhole ? `${item.text.slice(0, maxChars)}…` : item.text}</div>
      {isLong && (
        <button type="button" className="btn small ghost" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${count.format(item.text.length)} characters`}
        </button>
      )}
    </article>
  );
});
