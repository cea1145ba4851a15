import { costText } from "../../../../shared/conversation/cost.ts";
import { modelName } from "../../../../shared/conversation/model-name.ts";
import type { VoiceSettings } from "../../../../shared/voice/voice-settings.ts";
import type { VoiceSnapshot } from "../../../../shared/voice/voice-snapshot.ts";
import type { VoicePanelState } from "../../../state/voice/voice-panel-state.ts";
import { texts } from "../../../texts/texts.ts";
import { Choice, Fold } from "./fields.tsx";
import type { VoiceSettingsProps } from "./settings-props.ts";
import styles from "./VoicePanel.module.css";

const t = texts.voicePanel.repair;

type Repair = VoiceSnapshot["repair"];

interface RepairOfferProps {
  repair: Repair;
  choice: VoiceSettings["voice.repair"];
  set: VoicePanelState["set"];
}

/** A model in the cloud could mend what is unclear: whether it may is the user's word, who is told what it takes. */
export function RepairOffer({ repair, choice, set }: RepairOfferProps) {
  if (choice !== "auto" || repair.isOn || repair.model === null) return null;
  return (
    <section data-testid="repair-offer">
      <p className="hint">{t.offer(modelName(repair.model), costOf(repair))}</p>
      <div className={styles.buttons}>
        <button type="button" className="btn small" onClick={() => void set("voice.repair", "on")}>
          {t.turnOn}
        </button>
        <button type="button" className="btn small ghost" onClick={() => void set("voice.repair", "off")}>
          {t.no}
        </button>
      </div>
    </section>
  );
}

const choices = [
  ["auto", t.choices.auto],
  ["on", t.choices.on],
  ["off", t.choices.off],
] as const;

/** Whether a model mends unclear prompts, and what that has taken. */
export function RepairSettings({ repair, settings, set }: VoiceSettingsProps & { repair: Repair }) {
  const { isOn, model, asked, mended, tokens, usd } = repair;
  return (
    <Fold title={t.title}>
      <Choice
        label={t.who}
        value={settings["voice.repair"]}
        options={choices}
        testId="repair-choice"
        onChange={(choice) => void set("voice.repair", choice)}
      />
      <p className="hint">{isOn && model !== null ? t.on(modelName(model), costOf(repair)) : t.off}</p>
      {asked > 0 && <p className="hint">{t.tally(mended, asked, costText(tokens, usd))}</p>}
    </Fold>
  );
}

const costOf = ({ usualUsd }: Repair) => {
  if (usualUsd === null) return t.priceUnknown;
  return usualUsd === 0 ? t.free : t.price(`$${usualUsd.toFixed(4)}`);
};
