import { z } from "zod";
import type { SettingKey } from "../../../shared/settings.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Settings.module.css";

const t = texts.settingsPage;

/** What came about by a question to the user: here it is only taken away. */
export function ShrinkList({ name, value }: { name: SettingKey; value: unknown }) {
  const { settingsPage } = useWindowState();
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  if (list.length === 0) {
    return <span className={styles.fine}>{t.nothing}</span>;
  }
  return (
    <ul className={styles.list} data-testid="setting-control">
      {list.map((one) => (
        <li key={JSON.stringify(one)}>
          <span>{wordsOf(one)}</span>
          <button
            type="button"
            className="btn icon ghost"
            aria-label={t.removeOne(wordsOf(one))}
            title={t.removeOne(wordsOf(one))}
            onClick={() =>
              void settingsPage.change(
                name,
                list.filter((other) => other !== one),
              )
            }
          >
            <Icon name="close" size={13} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function wordsOf(one: unknown): string {
  const said = z.string().safeParse(one);
  return said.success ? said.data : JSON.stringify(one);
}
