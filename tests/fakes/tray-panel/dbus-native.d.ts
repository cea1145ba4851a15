import "@homebridge/dbus-native";

// What the package's own types leave out, as far as it is used here. D-Bus is a dynamic protocol: values are unknown.
declare module "@homebridge/dbus-native" {
  export interface Call {
    destination: string;
    path: string;
    interface: string;
    member: string;
    signature?: string;
    body?: unknown[];
  }

  export interface ClientBus {
    connection: { end(): void };
    invoke(call: Call, done: (error: { message: unknown } | null, ...values: unknown[]) => void): void;
    requestName(name: string, flags: number, done: (error: unknown, result: unknown) => void): void;
    /** `methods`: name → signatures of arguments and result; `properties`: name → signature. */
    exportInterface(
      implementation: object,
      path: string,
      description: {
        name: string;
        methods: Record<string, [string, string]>;
        properties: Record<string, string>;
        signals: Record<string, [string]>;
      },
    ): void;
  }

  export function createClient(options: { busAddress: string }): ClientBus;
}
