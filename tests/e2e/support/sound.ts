import { type PrivatePulse, startPrivatePulse } from "../../integration/private-pulse.ts";
import { test as base } from "./test.ts";

interface SoundFixtures {
  /** A sound server of the test's own. */
  pulse: PrivatePulse;
  /** For Parley to use it. */
  soundEnv: Record<string, string>;
}

export const test = base.extend<SoundFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  pulse: async ({}, use) => {
    const pulse = await startPrivatePulse();
    await use(pulse);
    await pulse.dispose();
  },
  soundEnv: async ({ pulse }, use) => {
    const { PULSE_SERVER = "", XDG_RUNTIME_DIR = "" } = pulse.environment;
    await use({ PULSE_SERVER, XDG_RUNTIME_DIR });
  },
});
