import { type ClientBus, createClient } from "@homebridge/dbus-native";
import { z } from "zod";
import { startPrivateBus } from "./private-bus.ts";

/** An icon as it came over the bus: ARGB, row by row. */
export interface TrayPixels {
  width: number;
  height: number;
  argb: Buffer;
}

export interface TrayEntry {
  id: number;
  label: string;
}

/**
 * A desktop's panel, as far as a tray icon sees one: the watcher and the host of the StatusNotifierItem protocol on a
 * bus of its own. Source: freedesktop.org's StatusNotifierItem and the com.canonical.dbusmenu interface.
 */
export interface TrayPanel {
  /** `DBUS_SESSION_BUS_ADDRESS` for the program whose icon is to be shown. */
  address: string;
  /** Resolves when an icon was put there. */
  shown: Promise<void>;
  icon(): Promise<TrayPixels>;
  tooltip(): Promise<string>;
  /** The entries that have a label, from the top. */
  menu(): Promise<TrayEntry[]>;
  /** Chooses an entry. @throws Error when there is none of that label */
  choose(label: string): Promise<void>;
  /** A click on the icon itself. */
  click(): Promise<void>;
  dispose(): Promise<void>;
}

const watcherName = "org.kde.StatusNotifierWatcher";
const itemInterface = "org.kde.StatusNotifierItem";
const menuInterface = "com.canonical.dbusmenu";
const itemPath = "/StatusNotifierItem";

const pixmaps = z.array(z.tuple([z.number(), z.number(), z.instanceof(Buffer)]));
const tooltip = z.tuple([z.string(), z.unknown(), z.string(), z.string()]);
/** A variant: the tree of its signature, and its value as a list of one. */
const variant = z.tuple([z.unknown(), z.tuple([z.unknown()])]).transform(([, [value]]) => value);
const menuNode = z.tuple([z.number(), z.array(z.tuple([z.string(), variant])), z.array(variant)]);

/** @param onBus the address of a bus that others use, too; without it there is one of its own */
export async function startTrayPanel(onBus?: string): Promise<TrayPanel> {
  const { address, dispose } =
    onBus === undefined ? await startPrivateBus() : { address: onBus, dispose: async () => {} };
  const bus = createClient({ busAddress: address });
  const item = new Promise<string>((resolve) => watch(bus, resolve));
  await new Promise((resolve, reject) =>
    bus.requestName(watcherName, 0, (error, result) => (error ? reject(error) : resolve(result))),
  );
  const call = async (path: string, face: string, member: string, signature: string, body: unknown[]) => {
    const destination = await item;
    return await new Promise<unknown[]>((resolve, reject) =>
      bus.invoke({ destination, path, interface: face, member, signature, body }, (error, ...values) =>
        error ? reject(new Error(`${member}: ${String(error.message)}`)) : resolve(values),
      ),
    );
  };
  const property = async (name: string) => {
    const [value] = await call(itemPath, "org.freedesktop.DBus.Properties", "Get", "ss", [
      itemInterface,
      name,
    ]);
    return variant.parse(value);
  };
  const menuPath = async () => z.string().parse(await property("Menu"));
  const menu = async (): Promise<TrayEntry[]> => {
    const [, layout] = await call(await menuPath(), menuInterface, "GetLayout", "iias", [0, -1, []]);
    return menuNode.parse(layout)[2].flatMap((node) => {
      const [id, properties] = menuNode.parse(node);
      const label = properties.find(([name]) => name === "label")?.[1];
      return typeof label === "string" && label !== "" ? [{ id, label }] : [];
    });
  };
  return {
    address,
    shown: item.then(() => undefined),
    icon: async () => {
      const [first] = pixmaps.parse(await property("IconPixmap"));
      if (!first) throw new Error("The tray icon has no picture.");
      const [width, height, argb] = first;
      return { width, height, argb };
    },
    tooltip: async () => tooltip.parse(await property("ToolTip"))[2],
    menu,
    choose: async (label) => {
      const path = await menuPath();
      const find = async () => {
        const entry = (await menu()).find((one) => one.label === label);
        if (!entry) throw new Error(`The menu has no entry “${label}”.`);
        return entry;
      };
      const click = (entry: TrayEntry) =>
        call(path, menuInterface, "Event", "isvu", [entry.id, "clicked", ["i", 0], 0]);
      let entry = await find();
      for (;;) {
        const clicked = await click(entry).catch((error: unknown) => error);
        if (!(clicked instanceof Error)) return;
        // A panel closes a menu when another one comes in its place: who clicks there looks at the new one.
        const next = await find();
        if (next.id === entry.id) throw clicked;
        entry = next;
      }
    },
    click: async () => void (await call(itemPath, itemInterface, "Activate", "ii", [0, 0])),
    dispose: async () => {
      bus.connection.end();
      await dispose();
    },
  };
}

/** The watcher: programs tell it that they have an icon. Its members' names are the protocol's. */
class Watcher {
  readonly RegisteredStatusNotifierItems: string[] = [];
  readonly IsStatusNotifierHostRegistered = true;
  readonly ProtocolVersion = 0;
  readonly #onItem: (service: string) => void;

  constructor(onItem: (service: string) => void) {
    this.#onItem = onItem;
  }

  RegisterStatusNotifierItem(service: string): void {
    this.#onItem(service);
  }

  RegisterStatusNotifierHost(): void {}
}

function watch(bus: ClientBus, onItem: (service: string) => void): void {
  bus.exportInterface(new Watcher(onItem), "/StatusNotifierWatcher", {
    name: watcherName,
    methods: { RegisterStatusNotifierItem: ["s", ""], RegisterStatusNotifierHost: ["s", ""] },
    properties: {
      RegisteredStatusNotifierItems: "as",
      IsStatusNotifierHostRegistered: "b",
      ProtocolVersion: "i",
    },
    signals: {},
  });
}
