import { visibleText } from "../../../shared/safety/visible-text.ts";
import { texts } from "../../texts/texts.ts";
import card from "../ui/Card.module.css";

const t = texts.approvals.outside;

/** So many stand there at once; more are unfolded. */
const shown = 8;

/** What a command outside of the fence would obey, and this conversation changed. */
export function OutsideFiles({ paths }: { paths: readonly string[] }) {
  const rest = paths.slice(shown);
  return (
    <div className={card.outsideFiles} data-testid="changed-tool-files">
      {t.changed}
      <Names paths={paths.slice(0, shown)} />
      {rest.length > 0 && (
        <details>
          <summary>{t.more(rest.length)}</summary>
          <Names paths={rest} />
        </details>
      )}
    </div>
  );
}

function Names({ paths }: { paths: readonly string[] }) {
  return (
    <>
      {paths.map((path, index) => (
        <span key={path}>
          {index > 0 && ", "}
          <code>{visibleText(path)}</code>
        </span>
      ))}
    </>
  );
}

interface ConfirmOutsideProps {
  onRun: () => void;
  onCancel: () => void;
}

/** One more look, where what runs outside is not what the user wrote. */
export function ConfirmOutside({ onRun, onCancel }: ConfirmOutsideProps) {
  return (
    <div className={card.row} data-testid="confirm-outside">
      <span>{t.confirm}</span>
      <button type="button" className="btn" data-testid="run-outside-now" onClick={onRun}>
        {texts.approvals.runOutside}
      </button>
      <button
        type="button"
        className="btn primary"
        // biome-ignore lint/a11y/noAutofocus: the user has just pressed the button that stood here
        autoFocus
        onClick={onCancel}
      >
        {t.back}
      </button>
    </div>
  );
}
