import type { Page } from "playwright/test";

/** Elements, with all in them, whose words are not the window's: what people, models and programs said, and names. */
const others = [
  "code, pre, time, bdi, h1, option, textarea",
  '[data-testid="announcer"]',
  '[data-testid="message-assistant"] > div',
  '[data-testid="message-user"] [dir="auto"]',
  '[data-testid="work-in"] button:has(bdi)',
  '[data-testid="command-answer"] > div:last-child',
  '[role="option"]',
  '[data-testid="model"]',
  '[data-testid="rule"]',
  '[data-testid="model-row"] > div:first-child',
  '[data-testid="asked"]',
  // What is said aloud is said as it stands.
  '[data-testid="spoken-commands"]',
  // Lines of a file.
  '[data-testid="diff"] span',
  // Said by main, where commands and the log say the same: what a level means.
  '[data-testid="under-model"], [data-testid="under-level"]',
  '[data-testid="level"], [data-testid="level-look"], [data-testid="level-ask"], [data-testid="level-work"]',
  '[data-kind="cards"]',
  // Keys as the settings write them.
  '[data-testid="shortcut"] kbd, [data-testid="key-hints"] kbd, [data-testid="keys-sheet"] kbd',
  "aside section > div > b",
  "footer > span:first-child",
  '[data-testid="quick-model"] span, [data-testid="quick-models"] button',
].join(", ");

/** Elements whose own words come from elsewhere, but not those of the elements in them: what main tells, and titles. */
const told = [
  '[data-testid="error-card"] p',
  '[data-testid="note"]',
  '[data-testid="approval"] > p',
  '[data-testid="question"] > p, [data-testid="question"] > div > span',
  '[data-testid="question"] button > *',
  '[data-testid="tool-card"][data-mark="failed"] span',
  '[data-testid="voice-failed"] p',
  '[data-testid="voice-entry"] p',
  '[data-testid="queue-item"] > span',
  '[data-testid="steering-item"] > span',
  '[data-testid="conversation-item"], [data-testid="conversation-item"] > span',
  '[data-testid="voice-state"]',
  '[data-testid="session-list"] h2',
].join(", ");

/** Every visible text and label that the language did not give: it stands without its brackets. Keys are one letter. */
export const hardWired = (page: Page): Promise<string[]> =>
  page.evaluate(
    ({ others, told }) => {
      const found: string[] = [];
      const isOurs = (words: string) =>
        words.includes("⟦") || !/\p{L}{2}/u.test(words.replaceAll(/\d+:\d+(:\d+)?\s?([AP]M)?/g, ""));
      const look = (element: Element, words: string, what: string) => {
        if (!isOurs(words) && !element.closest(others) && !element.matches(told))
          found.push(`${what} “${words.trim().slice(0, 80)}” of ${element.outerHTML.slice(0, 140)}`);
      };
      for (const element of document.body.querySelectorAll("*")) {
        if (!(element instanceof HTMLElement) || !element.checkVisibility()) continue;
        for (const child of element.childNodes)
          if (child.nodeType === Node.TEXT_NODE) look(element, child.textContent ?? "", "text");
        for (const name of ["aria-label", "title", "placeholder"])
          look(element, element.getAttribute(name) ?? "", name);
      }
      return found;
    },
    { others, told },
  );

/** Every element whose text is cut off, except where that is meant: it scrolls, or ends with an ellipsis. */
export const clipped = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page");
    for (const element of document.body.querySelectorAll("*")) {
      if (!(element instanceof HTMLElement) || !element.checkVisibility()) continue;
      const { overflowX, textOverflow, clipPath, display } = getComputedStyle(element);
      const isMeant =
        textOverflow === "ellipsis" || ["auto", "scroll"].includes(overflowX) || clipPath !== "none";
      // The buttons of a row stick out by their padding, so that their words line up with its text.
      // The header reaches over what stands beside the conversation.
      if (element.matches("main:has(> header)")) continue;
      const isField = element.matches("[data-row], input, textarea, select, svg, svg *, progress, [hidden]");
      if (isMeant || isField || display === "inline" || element.closest("pre, code, .visually-hidden"))
        continue;
      if (element.scrollWidth > element.clientWidth + 1)
        found.push(`${element.scrollWidth} > ${element.clientWidth} px: ${element.outerHTML.slice(0, 200)}`);
    }
    return found;
  });
