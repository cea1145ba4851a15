import { visibleText } from "../../../shared/safety/visible-text.ts";

/** So many stand there at once; more are unfolded. */
const shown = 8;

/** What a command outside of the fence would obey, and this conversation changed. */
export function OutsideFiles({ paths }: { paths: readonly string[] }) {
  const rest = paths.slice(shown);
  return (
    <div className="outside-files" data-testid="changed-tool-files">
      Changed in this conversation, and run by your own tools: <Names paths={paths.slice(0, shown)} />
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
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
    <div className="row" data-testid="confirm-outside">
      <span>Outside of the fence these can do whatever you can. Did you read them?</span>
      <button type="button" className="btn" data-testid="run-outside-now" onClick={onRun}>
        Run outside
      </button>
      <button
        type="button"
        className="btn"
        // biome-ignore lint/a11y/noAutofocus: the user has just pressed the button that stood here
        autoFocus
        onClick={onCancel}
      >
        Back
      </button>
    </div>
  );
}
