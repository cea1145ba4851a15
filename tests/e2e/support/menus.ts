import type { ElectronApplication } from "playwright";

interface Recorded {
  label: string;
  role?: string;
}

/** A native menu cannot be clicked from here: it is kept instead of shown, and its entries are clicked by their words. */
export async function keepMenus(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ Menu }) => {
    Menu.prototype.popup = function popup() {
      Object.assign(globalThis, { lastMenu: this });
    };
  });
}

export const lastMenu = (app: ElectronApplication) =>
  app.evaluate((): Recorded[] => {
    const menu: { items: Recorded[] } | undefined = Reflect.get(globalThis, "lastMenu");
    return (menu?.items ?? []).map(({ label, role }) => ({ label, ...(role ? { role } : {}) }));
  });

export const choose = (app: ElectronApplication, label: string) =>
  app.evaluate((_, wanted) => {
    const menu: { items: { label: string; click(): void }[] } = Reflect.get(globalThis, "lastMenu");
    // Not within this call: what it does may outlast it.
    setTimeout(() => menu.items.find((item) => item.label === wanted)?.click());
  }, label);
