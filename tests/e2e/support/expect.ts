import { expect as slowly } from "playwright/test";

/** What is waited for is mostly there after some ten milliseconds; by itself Playwright then looks once a second. In milliseconds. */
const intervals = [20, 50, 100, 200];

/** Playwright's, but that what is asked again and again is asked often. */
export const expect: typeof slowly = new Proxy(slowly, {
  get(all, name) {
    if (name !== "poll") return Reflect.get(all, name);
    const poll: typeof slowly.poll = (actual, how) =>
      slowly.poll(actual, { intervals, ...(typeof how === "string" ? { message: how } : how) });
    return poll;
  },
});
