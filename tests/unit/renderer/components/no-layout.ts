/** A page without layout has no heights, and this one no popovers: a list must still know how much of it is in sight. */
export function layOut(): void {
  Object.defineProperty(HTMLElement.prototype, "clientHeight", { configurable: true, get: () => 600 });
  Object.defineProperty(HTMLElement.prototype, "clientWidth", { configurable: true, get: () => 240 });
  // There is room for the panel beside the conversation.
  const wide = { matches: false, addEventListener() {}, removeEventListener() {} };
  Object.defineProperty(window, "matchMedia", { configurable: true, value: () => wide });
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} });
  // Nor is it ever idle: what waits for that is not what these tests are about.
  Object.assign(globalThis, { requestIdleCallback: () => 0, cancelIdleCallback() {} });
}
