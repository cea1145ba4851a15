import { memo } from "react";
import type { TranscriptItem } from "../../shared/transcript.ts";
import { Markdown } from "./Markdown.tsx";
import { SpeakButton } from "./SpeakButton.tsx";

export type AssistantItem = Extract<TranscriptItem, { kind: "assistant" }>;

export const AssistantMessage = memo(function AssistantMessage({ item }: { item: AssistantItem }) {
  return (
    <article
      className={item.streaming ? "it streaming" : "it"}
      data-testid="message-assistant"
      data-key={item.key}
      data-streaming={item.streaming}
      aria-label="Parley"
      aria-busy={item.streaming}
    >
      <Markdown text={item.text} streaming={item.streaming} />
      {!item.streaming && <SpeakButton messageId={item.key} text={item.text} />}
      {item.interrupted && <p className="cut">Cut short here.</p>}
    </article>
  );
});
