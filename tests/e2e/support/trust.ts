import type { Page } from "playwright/test";

/** The card about what the folder of the shown conversation brings. */
export const trustCard = (page: Page) => page.getByTestId("trust");

/** The user trusts what it brings. */
export async function trustFolder(page: Page): Promise<void> {
  await trustCard(page).getByRole("button", { name: "Trust" }).click();
  await trustCard(page).waitFor({ state: "detached" });
}
