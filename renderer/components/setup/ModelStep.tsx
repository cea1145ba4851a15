import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { type KeyMaker, keyMaker, makerNames } from "../../../shared/safety/key-test.ts";
import { makerOfKey, type TriedKey } from "../../state/set-up.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import { ModelChoice } from "./ModelChoice.tsx";
import styles from "./SetUp.module.css";

const t = texts.setUp.model;

type Way = "key" | "server" | "offline";

interface ModelStepProps {
  isDone: boolean;
  onDone: (isDone: boolean) => void;
}

/** Who is to answer: a provider by a key, a server on this computer, or nobody for now. */
export function ModelStep({ isDone, onDone }: ModelStepProps) {
  const [way, setWay] = useState<Way>("key");
  const choose = (next: Way) => {
    setWay(next);
    onDone(next === "offline");
  };
  return (
    <section className={styles.step} data-state={isDone ? "done" : "now"} aria-labelledby="set-up-model">
      <span className={styles.no}>{isDone ? <Icon name="check" size={14} /> : "1"}</span>
      <h2 id="set-up-model">{t.title}</h2>
      <div className={styles.in}>
        <div className={styles.opts} role="radiogroup" aria-labelledby="set-up-model">
          <KeyWay isChosen={way === "key"} onChoose={() => choose("key")} onDone={onDone} />
          <ServerWay isChosen={way === "server"} onChoose={() => choose("server")} onDone={onDone} />
          <Way
            way="offline"
            isChosen={way === "offline"}
            onChoose={() => choose("offline")}
            about={t.offlineAbout}
          />
        </div>
      </div>
    </section>
  );
}

interface WayProps {
  way: Way;
  isChosen: boolean;
  onChoose: () => void;
  about?: string;
  /** At the end of the line. */
  end?: ReactNode;
  children?: ReactNode;
}

function Way({ way, isChosen, onChoose, about, end, children }: WayProps) {
  return (
    <div className={styles.opt} data-testid={`way-${way}`}>
      <label>
        <input type="radio" name="set-up-way" checked={isChosen} onChange={onChoose} />
        <span>
          <b>{t[way]}</b>
          {about !== undefined && <small>{about}</small>}
        </span>
      </label>
      {end}
      {children}
    </div>
  );
}

interface ChosenWayProps {
  isChosen: boolean;
  onChoose: () => void;
  onDone: (isDone: boolean) => void;
}

function KeyWay({ isChosen, onChoose, onDone }: ChosenWayProps) {
  const { setUp } = useWindowState();
  const facts = useStore(setUp.facts);
  const field = useRef<HTMLInputElement>(null);
  const [maker, setMaker] = useState<KeyMaker>("anthropic");
  const [isEmpty, setEmpty] = useState(true);
  const [isWeak, setWeak] = useState(false);
  const [tried, setTried] = useState<TriedKey | "testing" | null>(null);
  // The dialog gives it the keyboard when it opens, which is after this.
  useLayoutEffect(() => field.current?.setAttribute("autofocus", ""), []);
  // An answer that a later test overtook, or that is of another key or maker, says nothing.
  const round = useRef(0);

  const test = async (by: KeyMaker, weak = isWeak) => {
    // Read where it is needed: the state of a page is what its tools show first.
    const key = field.current?.value.trim() ?? "";
    if (key === "") return;
    const own = ++round.current;
    setTried("testing");
    onDone(false);
    const answer = await setUp.tryKey(by, key, weak);
    if (own !== round.current) return;
    setTried(answer);
    onDone(answer.ok);
  };
  const beginAnew = (by: KeyMaker) => {
    round.current += 1;
    setMaker(by);
    setTried(null);
    onDone(false);
  };
  const changed = (isPasted: boolean) => {
    const key = field.current?.value.trim() ?? "";
    setEmpty(key === "");
    const by = makerOfKey(key) ?? maker;
    beginAnew(by);
    if (isPasted) void test(by);
  };
  const isWorking = tried !== null && tried !== "testing" && tried.ok;
  const good = isWorking && "tookMs" in tried && (
    <span className={styles.good} role="status" data-testid="key-works">
      <Icon name="check" size={14} />
      {t.works((tried.tookMs / 1000).toFixed(1))}
    </span>
  );
  return (
    <Way way="key" isChosen={isChosen} onChoose={onChoose} end={good || null}>
      {isChosen && (
        <div className={styles.more}>
          <form
            className={styles.line}
            onSubmit={(event) => {
              event.preventDefault();
              void test(maker);
            }}
          >
            <select
              aria-label={t.maker}
              data-testid="set-up-maker"
              value={maker}
              onChange={(event) => beginAnew(keyMaker.parse(event.target.value))}
            >
              {keyMaker.options.map((one) => (
                <option key={one} value={one}>
                  {makerNames[one]}
                </option>
              ))}
            </select>
            <input
              ref={field}
              type="password"
              data-testid="set-up-key"
              aria-label={t.keyLabel}
              placeholder={t.paste}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                const { nativeEvent } = event;
                changed(nativeEvent instanceof InputEvent && nativeEvent.inputType === "insertFromPaste");
              }}
            />
            <button
              type="submit"
              className="btn"
              data-testid="set-up-test"
              disabled={isEmpty || tried === "testing"}
            >
              {tried === "testing" ? t.testing : tried === null ? t.test : t.testAgain}
            </button>
          </form>
          {isWorking && <ModelChoice maker={maker} />}
          {tried !== null && tried !== "testing" && !tried.ok && (
            <p className={styles.bad} role="alert" data-testid="key-problem">
              <CodeWords text={`${tried.message} ${tried.hint ?? ""}`} />
            </p>
          )}
          {facts?.key.canBeWeak ? (
            <label className={styles.fine}>
              <input
                type="checkbox"
                data-testid="set-up-weak"
                checked={isWeak}
                onChange={(event) => {
                  setWeak(event.target.checked);
                  // It is kept already: now elsewhere.
                  if (isWorking) void test(maker, event.target.checked);
                }}
              />
              {t.keepInFile}
            </label>
          ) : (
            facts && (
              <p className={styles.fine}>
                {facts.key.place === "system" ? t.sealed(facts.key.backend) : t.inMemory}
              </p>
            )
          )}
        </div>
      )}
    </Way>
  );
}

function ServerWay({ isChosen, onChoose, onDone }: ChosenWayProps) {
  const { setUp } = useWindowState();
  const facts = useStore(setUp.facts);
  const [used, setUsed] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const server = facts?.server;
  const about = !facts
    ? t.looking
    : server
      ? t.serverFound(
          server.id,
          server.more > 0 ? t.more(server.models.join(", "), server.more) : server.models.join(", "),
        )
      : t.noServer;
  const use = async (id: string) => {
    const error = await setUp.takeServer(id);
    setProblem(error ? `${error.message} ${error.hint ?? ""}`.trim() : null);
    if (error) return;
    setUsed(id);
    onDone(true);
  };
  const badge = server && <span className={styles.badge}>{used === server.id ? t.inUse : t.found}</span>;
  return (
    <Way way="server" isChosen={isChosen} onChoose={onChoose} about={about} end={badge || null}>
      {isChosen && (
        <div className={styles.more}>
          {server && used === server.id && <ModelChoice maker={null} />}
          {server && used !== server.id && (
            <button type="button" className="btn" onClick={() => void use(server.id)}>
              {t.use}
            </button>
          )}
          {facts && !server && (
            <button type="button" className="btn" onClick={() => void setUp.look()}>
              {t.lookAgain}
            </button>
          )}
          {problem !== null && (
            <p className={styles.bad} role="alert">
              <CodeWords text={problem} />
            </p>
          )}
        </div>
      )}
    </Way>
  );
}
