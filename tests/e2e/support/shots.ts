import type { Page } from "playwright/test";
import { test } from "./test.ts";

/** What the window looks like now, in both looks, beside the test's other results. */
export async function shots(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: test.info().outputPath(`${name}-${colorScheme}.png`) });
  }
}
