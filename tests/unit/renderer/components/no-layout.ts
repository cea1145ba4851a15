/** A page without layout has no heights, and this one no popovers: a list must still know how much of it is in sight. */
export function layOut(): void {
  Object.defineProperty(HTMLElement.prototype, "clientHeight", { configurable: true, get: () => 600 });
  Object.defineProperty(HTMLElement.prototype, "clientWidth", { configurable: true, get: () => 240 });
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} });
}
