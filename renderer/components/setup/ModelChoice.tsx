import { useEffect } from "react";
import type { KeyMaker } from "../../../shared/safety/key-test.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { ModelSelect } from "../settings/ModelSelect.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./SetUp.module.css";

const t = texts.setUp.model;

/** Which of the models answers that the key, or the server, opens. @param maker null: of a server */
export function ModelChoice({ maker }: { maker: KeyMaker | null }) {
  const { settingsPage, models } = useWindowState();
  const list = useStore(settingsPage.newModels);
  const provider = useStore(models.state)?.provider;
  useEffect(() => void settingsPage.loadNewModels(), [settingsPage]);
  if (!list) return <p className={styles.fine}>{t.listing}</p>;
  // Another key comes first: its models are not those of this one.
  if (maker !== null && provider !== maker) return null;
  const choose = async (model: string) => {
    await settingsPage.change("model", model);
    await settingsPage.loadNewModels();
  };
  return (
    <div className={styles.choice} data-testid="set-up-models">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the list is in it */}
      <label>
        {t.answers}
        <ModelSelect list={list} onChoose={(model) => void choose(model)} named={{}} />
      </label>
      <span className={styles.fine}>{t.opens(list.models.length)}</span>
    </div>
  );
}
