import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Call, type ClientBus, createClient } from "@homebridge/dbus-native";
import { z } from "zod";

/** Whether this system has the service that programs tell screen readers by (Debian: at-spi2-core). */
export const hasAccessibilityBus = existsSync("/usr/share/dbus-1/services/org.a11y.Bus.service");

/** What a screen reader knows of one thing in a window. */
export interface Spoken {
  role: string;
  name: string;
  /** Where it is on the bus. */
  at: readonly [service: string, path: string];
}

/** ATSPI_STATE_FOCUSED. */
const focusedState = 12;
const atspi = "org.a11y.atspi";
const references = z.array(z.tuple([z.string(), z.string()]));
/** A value with its signature, as the library hands it over. */
const text = z.tuple([z.unknown(), z.tuple([z.string()])]).transform(([, [value]]) => value);

/**
 * Reads and works a window through AT-SPI alone, as Orca does: roles, names, focus and actions, no pixels. Chromium takes no text by it:
 * that comes from the keyboard.
 * Source: the interfaces in at-spi2-core's xml folder.
 */
export class ScreenReader {
  readonly #bus: ClientBus;

  private constructor(bus: ClientBus) {
    this.#bus = bus;
  }

  /** On the message bus of the test; its sockets lie in a folder of their own. Before the program starts that it reads. */
  static async open(): Promise<ScreenReader> {
    const session = createClient({ busAddress: process.env.DBUS_SESSION_BUS_ADDRESS ?? "" });
    const folder = mkdtempSync(join(tmpdir(), "a11y-"));
    const daemon = { destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus" };
    const places = ["XDG_RUNTIME_DIR", "XDG_CACHE_HOME"].map((name) => [name, folder]);
    await invoke(session, {
      ...daemon,
      ...{ interface: daemon.destination, member: "UpdateActivationEnvironment" },
      ...{ signature: "a{ss}", body: [places] },
    });
    const launcher = { destination: "org.a11y.Bus", path: "/org/a11y/bus" };
    const address = await invoke(session, { ...launcher, interface: "org.a11y.Bus", member: "GetAddress" });
    await invoke(session, {
      ...launcher,
      ...{ interface: "org.freedesktop.DBus.Properties", member: "Set" },
      ...{ signature: "ssv", body: ["org.a11y.Status", "IsEnabled", ["b", true]] },
    });
    session.connection.end();
    return new ScreenReader(createClient({ busAddress: z.string().parse(address) }));
  }

  close(): void {
    this.#bus.connection.end();
  }

  /** Everything in the windows now, in reading order. What goes away meanwhile is left out. */
  async all(): Promise<Spoken[]> {
    return await this.#below([`${atspi}.Registry`, "/org/a11y/atspi/accessible/root"]);
  }

  /** @returns undefined where there is none */
  async find(role: string, name: string | RegExp): Promise<Spoken | undefined> {
    const isMeant = (one: Spoken) =>
      one.role === role && (typeof name === "string" ? one.name === name : name.test(one.name));
    return (await this.all()).findLast(isMeant);
  }

  /** Does what a press does. @throws Error where it is not there */
  async press(role: string, name: string | RegExp): Promise<void> {
    await this.#ask((await this.#known(role, name)).at, "Action", "DoAction", "i", [0]);
  }

  /** Gives a field the keyboard, as a screen reader does before its user types. @throws Error where it is not there */
  async focus(role: string, name: string | RegExp): Promise<void> {
    await this.#ask((await this.#known(role, name)).at, "Component", "GrabFocus");
  }

  /** Whether it has the keyboard. @throws Error where it is not there */
  async isFocused(role: string, name: string | RegExp): Promise<boolean> {
    const states = await this.#ask((await this.#known(role, name)).at, "Accessible", "GetState");
    const [low = 0] = z.array(z.number()).parse(states);
    return (low & (1 << focusedState)) !== 0;
  }

  async #known(role: string, name: string | RegExp): Promise<Spoken> {
    const found = await this.find(role, name);
    if (!found) throw new Error(`There is no ${role} “${String(name)}”.`);
    return found;
  }

  async #below(at: Spoken["at"]): Promise<Spoken[]> {
    try {
      const role = z.string().parse(await this.#ask(at, "Accessible", "GetRoleName"));
      const named = await invoke(this.#bus, {
        ...{ destination: at[0], path: at[1], interface: "org.freedesktop.DBus.Properties", member: "Get" },
        ...{ signature: "ss", body: [`${atspi}.Accessible`, "Name"] },
      });
      const children = references.parse(await this.#ask(at, "Accessible", "GetChildren"));
      const below = await Promise.all(children.map((child) => this.#below(child)));
      return [{ role, name: text.parse(named), at }, ...below.flat()];
    } catch {
      return [];
    }
  }

  #ask(
    [destination, path]: Spoken["at"],
    face: string,
    member: string,
    signature?: string,
    body?: unknown[],
  ) {
    const call = { destination, path, interface: `${atspi}.${face}`, member };
    return invoke(this.#bus, { ...call, ...(signature && body && { signature, body }) });
  }
}

const invoke = (bus: ClientBus, call: Call): Promise<unknown> =>
  new Promise((resolve, reject) => {
    bus.invoke(call, (error, ...values) => {
      if (error) reject(new Error(`${call.member}: ${String(error.message)}`));
      else resolve(values[0]);
    });
  });
