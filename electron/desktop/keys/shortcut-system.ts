import { app } from "electron";
import { busProperty } from "./session-bus.ts";

/** A desktop on which a key can be bound to a command for the user. */
export type BindableDesktop = "gnome" | "kde";

/** How shortcuts of the whole system come about here. */
export interface ShortcutSystem {
  isWayland: boolean;
  /** Wayland: the desktop has a portal that gives programs shortcuts, and this runtime asks it. */
  hasPortal: boolean;
  /** null: another desktop, which nothing is bound in. */
  desktop: BindableDesktop | null;
}

const portalFeature = "GlobalShortcutsPortal";
/** The first version of Electron that asks the portal. */
const firstWithPortal = 35;

export const isWayland = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): boolean =>
  platform === "linux" && (env.XDG_SESSION_TYPE === "wayland" || Boolean(env.WAYLAND_DISPLAY));

/** Before the app is ready. Chromium reads the last switch of a name only: what is there stays in it. */
export function enableShortcutPortal(env: NodeJS.ProcessEnv): void {
  if (!isWayland(env)) return;
  const given = app.commandLine.getSwitchValue("enable-features");
  app.commandLine.appendSwitch("enable-features", [given, portalFeature].filter(Boolean).join(","));
}

/** Looks how things are on this computer. @throws AbortError */
export async function lookForShortcuts(
  env: NodeJS.ProcessEnv,
  electronVersion: string,
  signal: AbortSignal,
): Promise<ShortcutSystem> {
  if (!isWayland(env)) return { isWayland: false, hasPortal: false, desktop: null };
  const version = await busProperty(
    {
      name: "org.freedesktop.portal.Desktop",
      path: "/org/freedesktop/portal/desktop",
      face: "org.freedesktop.portal.GlobalShortcuts",
      property: "version",
    },
    env,
    signal,
  );
  const asksIt = Number.parseInt(electronVersion, 10) >= firstWithPortal;
  return { isWayland: true, hasPortal: version !== null && asksIt, desktop: desktopOf(env) };
}

/** Pure. `XDG_CURRENT_DESKTOP` names it and those that it is made of, such as `ubuntu:GNOME`. */
export function desktopOf(env: NodeJS.ProcessEnv): BindableDesktop | null {
  const names = (env.XDG_CURRENT_DESKTOP ?? "").toLowerCase().split(":");
  if (names.includes("gnome")) return "gnome";
  return names.includes("kde") ? "kde" : null;
}
