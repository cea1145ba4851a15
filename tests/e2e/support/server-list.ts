import type { Page } from "playwright/test";
import { expect } from "./test.ts";

/** The list of MCP servers, opened by its keys. */
export async function openList(page: Page): Promise<void> {
  await page.keyboard.press("ControlOrMeta+Shift+S");
  await expect(page.getByTestId("servers")).toBeVisible();
}

export const row = (page: Page, name: string) => page.locator(`[data-testid="server"][data-name="${name}"]`);

/** Waits until a server is in a state: programs are started in their own time. */
export const inState = (page: Page, name: string, state: string) =>
  expect(row(page, name)).toHaveAttribute("data-state", state, { timeout: 60_000 });
