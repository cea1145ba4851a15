import type { KeyState } from "../../../shared/ipc/model-routes.ts";
import { type KeyMaker, type KeyTest, makerNames } from "../../../shared/safety/key-test.ts";
import { duration } from "../../state/conversation/wording.ts";
import type { MakerModels } from "../../state/settings/settings-page.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { AskFirst } from "../ui/AskFirst.tsx";
import { CodeWords } from "../ui/CodeWords.tsx";
import { useWindowState } from "../window/window-context.ts";
import { LocalServers } from "./LocalServers.tsx";
import styles from "./Settings.module.css";

const t = texts.settingsPage.keys;

/** Each provider, and a server on this computer: whether it can answer, and what can be done about it. */
export function KeyRows({ has }: { has: (title: string) => boolean }) {
  const { settingsPage } = useWindowState();
  const keys = useStore(settingsPage.keys);
  return (
    <div className={styles.rows}>
      {keys.map((key) => has(makerNames[key.maker]) && <KeyRow key={key.maker} state={key} />)}
      {has(texts.settingsPage.localServers.title) && <LocalServers />}
    </div>
  );
}

function KeyRow({ state: { maker, variable, from, kept, host } }: { state: KeyState }) {
  const windowState = useWindowState();
  const { settingsPage } = windowState;
  const tested = useStore(settingsPage.tests)[maker];
  const models = useStore(settingsPage.models)[maker];
  const name = makerNames[maker];
  const about = from === null ? t.none : t.from[from] + (kept === null ? "" : t.kept(kept));
  const button = (label: string, act: () => void, testId: string) => (
    <button
      type="button"
      className="btn small"
      data-testid={testId}
      aria-label={t.on(label, name)}
      onClick={act}
    >
      {label}
    </button>
  );
  return (
    <div className={styles.row} data-testid="provider" data-maker={maker}>
      <span className={styles.tile} aria-hidden="true">
        {name.charAt(0)}
      </span>
      <div className={styles.lab}>
        <b>{name}</b>
        <small>
          {about}
          {host !== null && t.goesTo(host)}
        </small>
        {tested && tested !== "testing" && !tested.ok && (
          <p className={styles.why} role="alert">
            <CodeWords text={`${tested.message} ${tested.hint ?? ""}`} />
          </p>
        )}
        <Models models={models} maker={maker} />
      </div>
      <span className={styles.acts}>
        <TestBadge tested={tested} />
        {from !== null && button(t.test, () => void settingsPage.test(maker), "key-test")}
        {from !== null && button(t.models, () => void settingsPage.listModels(maker), "key-models")}
        {from !== "environment" &&
          button(from === null ? t.add : t.replace, () => windowState.changeKey(variable), "key-change")}
        {from === "app" && (
          <AskFirst
            label={t.remove}
            name={t.on(t.remove, name)}
            className="btn small"
            onYes={() => void settingsPage.removeKey(maker)}
          />
        )}
      </span>
    </div>
  );
}

function TestBadge({ tested }: { tested: KeyTest | "testing" | undefined }) {
  if (!tested) return null;
  const isBad = tested !== "testing" && !tested.ok;
  const isOk = tested !== "testing" && tested.ok;
  return (
    <span
      className={`${styles.badge} ${isOk ? styles.ok : isBad ? styles.bad : ""}`}
      role="status"
      data-testid="key-badge"
    >
      {tested === "testing"
        ? t.testing
        : tested.ok
          ? t.works(duration(tested.tookMs))
          : t.problems[tested.problem]}
    </span>
  );
}

function Models({ models, maker }: { models: MakerModels | undefined; maker: KeyMaker }) {
  if (!models) return null;
  if (models === "asking") return <p className={styles.fine}>{t.listing}</p>;
  if ("message" in models) {
    return (
      <p className={styles.why} role="alert">
        <CodeWords text={`${models.message} ${models.hint ?? ""}`} />
      </p>
    );
  }
  const { names } = models;
  if (names === null || names.length === 0) return <p className={styles.fine}>{t.noList}</p>;
  return (
    <details className={styles.models} open data-testid="key-models-list" data-maker={maker}>
      <summary>{t.listed(names.length)}</summary>
      {names.join(" · ")}
    </details>
  );
}
