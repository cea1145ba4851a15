import { useEffect, useState } from "react";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { CodeWords } from "../ui/CodeWords.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Settings.module.css";

const t = texts.settingsPage.localServers;
const found = texts.setUp.model;

/** What answers at the usual addresses of this computer, and whether it may. */
export function LocalServers() {
  const { info, setUp, settingsPage } = useWindowState();
  const facts = useStore(setUp.facts);
  const agreed = useStore(settingsPage.values)?.values.localModelServers ?? [];
  const answering = useStore(info)?.provider;
  const [isLooking, setLooking] = useState(true);
  const [problem, setProblem] = useState<string | null>(null);
  const look = () => {
    setLooking(true);
    void setUp.look().then(() => setLooking(false));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is shown
  useEffect(look, []);
  const server = isLooking ? null : facts?.server;
  // Somebody else may answer although it was agreed to.
  const isUsed = server != null && agreed.includes(server.id) && answering === "local";
  const use = async (id: string) => {
    const error = await setUp.takeServer(id);
    setProblem(error ? `${error.message} ${error.hint ?? ""}`.trim() : null);
    await settingsPage.load();
  };
  return (
    <div className={styles.row} data-testid="local-servers" aria-busy={isLooking}>
      <div className={styles.lab}>
        <b>{server ? server.id : t.title}</b>
        <small>
          {isLooking
            ? found.looking
            : server
              ? server.more > 0
                ? found.more(server.models.join(", "), server.more)
                : server.models.join(", ")
              : found.noServer}
        </small>
        {problem !== null && (
          <p className={styles.why} role="alert">
            <CodeWords text={problem} />
          </p>
        )}
      </div>
      <span className={styles.acts}>
        {!isLooking && (
          <span className={server ? `${styles.badge} ${styles.ok}` : styles.badge} role="status">
            {server ? (isUsed ? found.inUse : found.found) : t.notFound}
          </span>
        )}
        {server && !isUsed && (
          <button type="button" className="btn small" onClick={() => void use(server.id)}>
            {found.use}
          </button>
        )}
        <button type="button" className="btn small" disabled={isLooking} onClick={look}>
          {found.lookAgain}
        </button>
      </span>
    </div>
  );
}
