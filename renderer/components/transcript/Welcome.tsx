import type { AppInfo } from "../../../shared/ipc.ts";
import { keyLabel } from "../../state/conversation/wording.ts";

/** All of these work with and without a model. */
const examples = [
  "What can you do?",
  "What time is it?",
  "What is 17 × 23 + 4?",
  "List the files in this folder",
];

/** The empty transcript: what to do first, and plainly what is missing. */
export function Welcome({ info, onAsk }: { info: AppInfo | null; onAsk: (text: string) => void }) {
  return (
    <div className="welcome" data-testid="welcome">
      <h2>Say it, or type it.</h2>
      <p>
        Press the microphone below (<kbd>{keyLabel(info?.platform, "M", true)}</kbd>) and speak, or write and
        press <kbd>Enter</kbd>. Your words appear while you speak, and become a prompt when you pause.
      </p>
      <ul className="examples" aria-label="Examples">
        {examples.map((text) => (
          <li key={text}>
            <button type="button" className="btn" title="Ask this" onClick={() => onAsk(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
      {info?.provider === "offline" && <OfflineNotice workingFolder={info.workingFolder} />}
    </div>
  );
}

function OfflineNotice({ workingFolder }: { workingFolder: string }) {
  return (
    <section className="offline" aria-label="No model is configured" data-testid="offline-notice">
      <p>
        <b>No language model is configured.</b> The offline assistant answers for now: it tells the time,
        calculates, and lists and reads files in the working folder. It is not a model and does not pretend to
        be one.
      </p>
      <p>
        To talk to Claude, put <code>ANTHROPIC_API_KEY=…</code> into the environment or into a file named{" "}
        <code>.env</code> in <code>{workingFolder}</code>, and start Parley again.
      </p>
    </section>
  );
}
