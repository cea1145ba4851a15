import { type FormEvent, useState } from "react";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { ErrorCard } from "../transcript/messages/ErrorCard.tsx";
import { CodeWords } from "../ui/CodeWords.tsx";
import { useWindowState } from "../window/window-context.ts";
import { ServerRow } from "./ServerRow.tsx";
import styles from "./ServersDialog.module.css";

const t = texts.servers;

/** What runs, why what does not, which tools are offered, and ways to add some: in the dialog, and in the settings. */
export function ServersList() {
  const { servers } = useWindowState();
  const { servers: list, problems } = useStore(servers.view);
  const outcome = useStore(servers.outcome);
  return (
    <div className={styles.servers}>
      {list.length === 0 && problems.length === 0 && <p className={styles.none}>{t.none}</p>}
      <ul>
        {list.map((server) => (
          <ServerRow key={server.name} server={server} />
        ))}
      </ul>
      {problems.map((problem) => (
        <p key={problem} className={styles.problem}>
          <CodeWords text={t.problem(problem)} />
        </p>
      ))}
      <div aria-live="polite">
        {typeof outcome === "string" && (
          <p className={styles.outcome} data-testid="servers-outcome">
            <CodeWords text={outcome} />
          </p>
        )}
        {outcome !== null && typeof outcome === "object" && <ErrorCard error={outcome} />}
      </div>
      <AddServer />
    </div>
  );
}

/** Imports the servers of other assistants. */
export function ImportServers() {
  const { servers } = useWindowState();
  return (
    <button
      type="button"
      className="btn"
      data-testid="servers-import"
      title={t.importTitle}
      onClick={() => void servers.import()}
    >
      {t.import}
    </button>
  );
}

function AddServer() {
  const { servers } = useWindowState();
  const [text, setText] = useState("");
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (await servers.add(text)) setText("");
  };
  return (
    <form className={styles.add} onSubmit={(event) => void add(event)}>
      <label htmlFor="servers-add">{t.addServer}</label>
      <textarea
        id="servers-add"
        data-testid="servers-add"
        rows={3}
        spellCheck={false}
        placeholder={t.addPlaceholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
        }}
      />
      <button
        type="submit"
        className="btn primary"
        data-testid="servers-add-button"
        disabled={text.trim() === ""}
        title={t.addTitle}
      >
        {t.add}
      </button>
    </form>
  );
}
