import { type ReactNode, use, useState } from "react";
import { withoutTagLines } from "../../../../shared/conversation/data-marks.ts";
import type { ToolItem } from "../../../../shared/conversation/transcript-items.ts";
import { grouped } from "../../../../shared/grouped.ts";
import type { ToolOutputWhole } from "../../../../shared/ipc/conversation-routes.ts";
import { type FileDiff, nearChanges } from "../../../state/conversation/diff-lines.ts";
import { toolInputText } from "../../../state/conversation/tool-summary.ts";
import { texts } from "../../../texts/texts.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { AgentsContext } from "./agents-context.ts";
import { FileDiffs } from "./DiffView.tsx";
import styles from "./ToolCard.module.css";

const t = texts.transcript.tool;

interface ToolInsideProps {
  item: ToolItem;
  edit: readonly FileDiff[] | null;
  /** It opened by itself: the change alone, or the last lines of what is running. */
  isBrief?: boolean;
}

/** Made only when open: outputs can be long, and most are never looked at. */
export function ToolInside({ item, edit, isBrief = false }: ToolInsideProps) {
  if (isBrief && edit)
    return (
      <Brief>
        <FileDiffs files={edit.map(nearChanges)} hasOwnHead isTall />
      </Brief>
    );
  if (isBrief)
    return (
      <Brief>
        <Tail output={withoutTagLines(item.output)} />
      </Brief>
    );
  return <Whole item={item} edit={edit} />;
}

const Brief = ({ children }: { children: ReactNode }) => (
  <div className={styles.inside} data-testid="tool-inside" data-brief="">
    {children}
  </div>
);

/** So many lines of what a command says are shown while it runs. */
const tailLines = 10;

/** Where a running command is. */
function Tail({ output }: { output: string }) {
  const lines = output.trimEnd().split("\n");
  const above = lines.length - tailLines;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
    <pre tabIndex={0} data-testid="tool-output">
      {above > 0 && <span className={styles.above}>{t.linesAbove(grouped(above), above === 1)}</span>}
      {output.trim() === "" ? t.noOutputYet : lines.slice(-tailLines).join("\n")}
    </pre>
  );
}

function Whole({ item, edit }: ToolInsideProps) {
  const { loadOutput } = use(AgentsContext);
  const [whole, setWhole] = useState<ToolOutputWhole | "none" | null>(null);
  const isKnown = whole !== null && whole !== "none";
  const output = withoutTagLines(isKnown ? whole.output : item.output);
  const isCut = item.cut !== undefined && !isKnown;
  const hasMore = isCut || (item.hasImages === true && !isKnown);
  const loadAll = async () => setWhole((await loadOutput(item.key)) ?? "none");
  return (
    <div className={styles.inside} data-testid="tool-inside">
      {edit ? (
        <FileDiffs files={edit} hasOwnHead />
      ) : (
        <>
          <h3>{t.input}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
          <pre tabIndex={0}>{toolInputText(item.input)}</pre>
        </>
      )}
      <div className={styles.outputHead}>
        <h3>{item.status === "failed" ? t.error : t.output}</h3>
        {output !== "" && <CopyButton text={output} title={t.copyOutput} />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
      <pre tabIndex={0} data-testid="tool-output">
        {output || (item.status === "running" ? t.noOutputYet : t.noOutput)}
      </pre>
      {isKnown &&
        whole.images.map(({ mediaType, data }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the images of a result stay where they are
          <img key={index} alt={t.image(index + 1)} src={`data:${mediaType};base64,${data}`} />
        ))}
      {hasMore && whole === null && (
        <button type="button" className="btn small" data-testid="show-all" onClick={() => void loadAll()}>
          {item.cut ? t.showAll(grouped(item.cut.totalChars)) : t.showImages}
        </button>
      )}
      {whole === "none" && <p className={styles.notKept}>{t.notKept}</p>}
    </div>
  );
}
