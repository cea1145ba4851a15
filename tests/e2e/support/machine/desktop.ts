import { test as base } from "playwright/test";
import { withPrivateDesktop } from "../../../../scripts/setup/display.mjs";

/** Each worker has a screen and a message bus of its own: the apps that run at the same time do not meet. */
export const test = base.extend<object, { desktop: undefined }>({
  desktop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      await withPrivateDesktop(async (variables: Record<string, string | undefined>) => {
        for (const [name, value] of Object.entries(variables)) {
          if (value === undefined) delete process.env[name];
          else process.env[name] = value;
        }
        await use(undefined);
      });
    },
    { scope: "worker", auto: true },
  ],
});
