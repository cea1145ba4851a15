import { createContext, memo, use } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { restoreMarks, shallowMarkdown } from "../../../shared/conversation/markdown-depth.ts";
import type { MeetingLine } from "../../../shared/conversation/meeting.ts";
import { linkText } from "../../../shared/safety/visible-text.ts";
import { type MeetingTimes, meetingTime } from "../../state/meeting/meeting-times.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./MeetingAnswer.module.css";

interface MeetingAnswerProps {
  text: string;
  times: MeetingTimes;
  /** A line to go to, by its id. */
  onGo: (id: string) => void;
}

interface TimesContext {
  linesOf(said: string): readonly MeetingLine[];
  onGo(id: string): void;
}

const Times = createContext<TimesContext>({ linesOf: () => [], onGo: () => {} });

/**
 * A model's Markdown about a meeting: times that lines of it have lead there. Nothing in it is trusted: it has no links, no
 * pictures and no HTML.
 */
export const MeetingAnswer = memo(function MeetingAnswer({ text, times, onGo }: MeetingAnswerProps) {
  const linesOf = (said: string) =>
    times.partsOf(said).flatMap((part) => (typeof part === "string" ? [] : part.lines));
  return (
    <Times value={{ linesOf, onGo }}>
      <div className={styles.answer}>
        <ReactMarkdown
          remarkPlugins={plugins}
          rehypePlugins={[restored, [markTimes, times]]}
          components={components}
          urlTransform={noAddress}
        >
          {shallowMarkdown(text)}
        </ReactMarkdown>
      </div>
    </Times>
  );
});

const plugins = [remarkGfm];
const restored = () => restoreMarks;
const noAddress = () => "";

interface HastNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: HastNode[];
}

/** Times in the text, but not in code, become elements of their own. */
function markTimes(times: MeetingTimes): (tree: HastNode) => void {
  const mark = (node: HastNode): void => {
    if (node.tagName === "code" || !node.children) return;
    node.children = node.children.flatMap((child): HastNode[] => {
      if (child.type !== "text") {
        mark(child);
        return [child];
      }
      return times
        .partsOf(linkText(child.value ?? ""))
        .map((part) =>
          typeof part === "string"
            ? { type: "text", value: part }
            : { type: "element", tagName: "time", properties: { dateTime: part.said }, children: [] },
        );
    });
  };
  return mark;
}

const components: Components = {
  a: ({ children }) => <span>{children}</span>,
  img: ({ alt }) => <span>{linkText(alt ?? "")}</span>,
  time: ({ dateTime }) => <TimeLink said={dateTime ?? ""} />,
};

function TimeLink({ said }: { said: string }) {
  const { linesOf, onGo } = use(Times);
  const [line] = linesOf(said);
  if (!line) return said;
  return (
    <button
      type="button"
      className={styles.time}
      aria-label={texts.meeting.goTo(meetingTime(line.at), line.text)}
      title={line.text}
      onClick={() => onGo(line.id)}
    >
      {meetingTime(line.at)}
    </button>
  );
}
