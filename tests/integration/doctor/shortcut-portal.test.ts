import { createClient } from "@homebridge/dbus-native";
import { expect, onTestFinished, test, vi } from "vitest";
import { lookForShortcuts } from "../../../electron/desktop/keys/shortcut-system.ts";
import { startPrivateBus } from "../../fakes/tray-panel/private-bus.ts";

vi.mock("electron", () => ({ app: {} }));

const name = "org.freedesktop.portal.Desktop";

/** A desktop's portal for shortcuts, as far as a program asks whether there is one. */
async function startPortal(hasShortcuts: boolean): Promise<string> {
  const { address, dispose } = await startPrivateBus();
  const bus = createClient({ busAddress: address });
  onTestFinished(async () => {
    bus.connection.end();
    await dispose();
  });
  if (hasShortcuts) {
    const face = "org.freedesktop.portal.GlobalShortcuts";
    const properties = { version: "u" };
    bus.exportInterface({ version: 1 }, "/org/freedesktop/portal/desktop", {
      name: face,
      methods: {},
      properties,
      signals: {},
    });
  }
  await new Promise((resolve, reject) =>
    bus.requestName(name, 0, (error, result) => (error ? reject(error) : resolve(result))),
  );
  return address;
}

test.skipIf(process.platform !== "linux")(
  "on Wayland the desktop is asked whether its portal gives shortcuts",
  async () => {
    const { signal } = new AbortController();
    const env = { PATH: process.env.PATH, XDG_SESSION_TYPE: "wayland", XDG_CURRENT_DESKTOP: "GNOME" };
    const looked = async (address: string, electron = "45.0.0") =>
      (await lookForShortcuts({ ...env, DBUS_SESSION_BUS_ADDRESS: address }, electron, signal)).hasPortal;
    const portal = await startPortal(true);
    expect(await looked(portal)).toBe(true);
    // This runtime would not ask it.
    expect(await looked(portal, "33.2.1")).toBe(false);
    expect(await looked(await startPortal(false))).toBe(false);
    expect(await looked("unix:path=/gone")).toBe(false);
  },
);
