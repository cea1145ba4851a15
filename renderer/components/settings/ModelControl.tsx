import { useEffect } from "react";
import { withoutCodeMarks } from "../../state/code-words.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import { ModelSelect } from "./ModelSelect.tsx";
import styles from "./Settings.module.css";

const t = texts.settingsPage.model;

interface ModelControlProps {
  value: string;
  onChoose: (model: string) => void;
  named: Readonly<Record<string, string>>;
}

/** Who answers in new conversations, chosen from what the provider lists. */
export function ModelControl({ value, onChoose, named }: ModelControlProps) {
  const { settingsPage } = useWindowState();
  const list = useStore(settingsPage.newModels);
  const provider = useStore(settingsPage.values)?.values.provider;
  const keys = useStore(settingsPage.keys);
  const withKey = keys.filter(({ from }) => from !== null).length;
  // Another provider or key: another list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are the occasion, main knows which they are
  useEffect(() => void settingsPage.loadNewModels(), [settingsPage, provider, withKey]);
  if (!list) return <span className={styles.fine}>{t.asking}</span>;
  const current =
    list.current.id === value
      ? list.current
      : { id: value, provider: list.current.provider, name: value, price: null };
  return (
    <>
      {list.problem && (
        <span className={styles.fine} title={withoutCodeMarks(list.problem.message)}>
          {t.problem}
        </span>
      )}
      <ModelSelect list={{ ...list, current }} onChoose={onChoose} named={named} />
    </>
  );
}
