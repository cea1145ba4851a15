import { type FormEvent, useEffect, useState } from "react";
import {
  type PermissionRule,
  permissionRule,
  type RuleKind,
  ruleKind,
  ruleSubject,
} from "../../../shared/safety/permissions.ts";
import { withTilde } from "../../../shared/with-tilde.ts";
import { withoutCodeMarks } from "../../state/code-words.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { AskFirst } from "../ui/AskFirst.tsx";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon, type IconName } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./RuleList.module.css";
import page from "./Settings.module.css";

const t = texts.settingsPage.rules;

const verdicts = ["allow", "ask", "deny"] as const;
type Verdict = (typeof verdicts)[number];
const icons: Record<Verdict, IconName> = { allow: "check", ask: "hand", deny: "close" };

/** The user's rules: what each says and where it counts, and one more. */
export function RuleList({ value }: { value: unknown }) {
  const { settingsPage, info } = useWindowState();
  const home = useStore(info)?.homeFolder ?? "";
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <div className={`${page.rows} ${styles.rules}`} data-testid="setting-control">
      {list.length === 0 && <p className={styles.none}>{t.none}</p>}
      <ul data-testid="rules">
        {list.map((one) => {
          const rule = permissionRule.safeParse(one);
          if (!rule.success) return null;
          return (
            <Rule
              key={JSON.stringify(one)}
              rule={rule.data}
              home={home}
              onRemove={() =>
                void settingsPage.change(
                  "permissionRules",
                  list.filter((other) => other !== one),
                )
              }
            />
          );
        })}
      </ul>
      <AddRule home={home} />
    </div>
  );
}

function Rule({ rule, home, onRemove }: { rule: PermissionRule; home: string; onRemove: () => void }) {
  const { verdict, folder, outside, ...about } = rule;
  const subject = ruleSubject({ verdict, ...about });
  const where = folder === undefined ? t.everywhere : t.in(withTilde(folder, home));
  const remove = t.remove(`${t.verdicts[verdict]} ${withoutCodeMarks(subject)}, ${where}`);
  return (
    <li data-testid="rule" data-verdict={verdict}>
      <span className={`${styles.verdict} ${styles[verdict]}`}>
        <Icon name={icons[verdict]} size={14} />
        {t.verdicts[verdict]}
      </span>
      <span className={styles.subject}>
        <CodeWords text={subject} />
        {outside && <span>{t.outside}</span>}
      </span>
      <span className={styles.where}>{where}</span>
      <AskFirst label={texts.common.remove} name={remove} className="btn icon ghost" onYes={onRemove}>
        <Icon name="close" size={13} />
      </AskFirst>
    </li>
  );
}

/** A rule of the user's own words; what is wrong with it is said below. */
function AddRule({ home }: { home: string }) {
  const { settingsPage, folders } = useWindowState();
  const [verdict, setVerdict] = useState<Verdict>("allow");
  const [kind, setKind] = useState<RuleKind>("command");
  const [what, setWhat] = useState("");
  const [folder, setFolder] = useState("");
  const [recent, setRecent] = useState<string[]>([]);
  const [why, setWhy] = useState<string | null>(null);
  useEffect(() => void folders.recent().then(setRecent), [folders]);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (what.trim() === "") return setWhy(t.whatIsMissing[kind]);
    const refused = await settingsPage.addRule({
      verdict,
      kind,
      what,
      folder: folder === "" ? null : folder,
    });
    setWhy(refused);
    if (refused === null) setWhat("");
  };
  return (
    <form className={styles.add} data-testid="add-rule" onSubmit={(event) => void add(event)}>
      <select
        aria-label={t.verdict}
        value={verdict}
        onChange={({ target }) => setVerdict(verdicts.find((one) => one === target.value) ?? verdict)}
      >
        {verdicts.map((one) => (
          <option key={one} value={one}>
            {t.verdicts[one]}
          </option>
        ))}
      </select>
      <select
        aria-label={t.kind}
        value={kind}
        onChange={({ target }) => {
          setKind(ruleKind.parse(target.value));
          setWhy(null);
        }}
      >
        {ruleKind.options.map((one) => (
          <option key={one} value={one}>
            {t.kinds[one]}
          </option>
        ))}
      </select>
      <input
        aria-label={t.what}
        data-testid="rule-what"
        placeholder={t.placeholders[kind]}
        value={what}
        spellCheck={false}
        maxLength={1000}
        aria-invalid={why !== null}
        onChange={(event) => {
          setWhat(event.target.value);
          setWhy(null);
        }}
      />
      <select aria-label={t.where} value={folder} onChange={(event) => setFolder(event.target.value)}>
        <option value="">{t.everywhereChoice}</option>
        {recent.map((one) => (
          <option key={one} value={one}>
            {t.in(withTilde(one, home))}
          </option>
        ))}
      </select>
      <button type="submit" className="btn" disabled={what.trim() === ""}>
        {t.add}
      </button>
      {verdict === "allow" && kind === "command" && <p className={styles.hint}>{t.commandHint}</p>}
      {why !== null && (
        <p className={styles.why} role="alert" data-testid="rule-problem">
          <CodeWords text={why} />
        </p>
      )}
    </form>
  );
}
