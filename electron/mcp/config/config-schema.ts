import { z } from "zod";

/** Numbers and booleans are what people write; a process gets text. */
const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const transportNames = ["stdio", "http", "streamable-http", "streamableHttp", "sse"] as const;

/**
 * One server as desktop assistants write it in `mcpServers`, with Parley's own keys beside theirs. Keys that it does not
 * know are passed over: other assistants have some of their own.
 */
export const serverEntry = z
  .object({
    type: z.enum(transportNames).optional(),
    transport: z.enum(transportNames).optional(),
    command: z.string().trim().min(1).optional(),
    args: z.array(text).default([]),
    env: z.record(z.string(), text).default({}),
    /** Relative to the working folder, where the server starts without it. */
    cwd: z.string().min(1).optional(),
    /** Not checked for being an address yet: it may hold variables. */
    url: z.string().trim().min(1).optional(),
    headers: z.record(z.string(), text).default({}),
    /** For servers that cannot register a client by themselves. */
    oauth: z
      .object({
        clientId: z.string().min(1),
        clientSecret: z.string().min(1).optional(),
        scope: z.string().min(1).optional(),
        /** The only authorization server that its secret may go to; without it the first that the user agrees to. */
        issuer: z.url({ protocol: /^https?$/ }).optional(),
        /** `client_credentials`: a server that is signed in to without a person; it needs the secret or the key. */
        grant: z.enum(["authorization_code", "client_credentials"]).default("authorization_code"),
        /** PEM, in place of the secret. */
        privateKey: z.string().min(1).optional(),
        keyAlgorithm: z.string().min(1).default("ES256"),
      })
      .optional(),
    enabled: z.boolean().optional(),
    /** As some other assistants say it. */
    disabled: z.boolean().optional(),
    /** Longest wait for an answer, or for a sign of progress, in milliseconds. */
    timeoutMs: z.number().int().min(100).max(3_600_000).default(120_000),
    /** Longest start, in milliseconds: `npx` may have to download the server first. */
    startTimeoutMs: z.number().int().min(100).max(600_000).default(90_000),
    /** Whether its word counts that a tool only reads (`readOnlyHint`): no checkpoint is made before it. It asks all the same. */
    trust: z.boolean().default(false),
    /** Whether its program runs in the fence; one of a folder's file always does. The switch in the list goes before. */
    fence: z.boolean().default(false),
    /** Which of its tools are offered: all of `on` (where given) but those of `off`. */
    tools: z
      .object({ on: z.array(z.string()).optional(), off: z.array(z.string()).default([]) })
      .default({ off: [] }),
  })
  .superRefine((entry, context) => {
    const kind = entry.type ?? entry.transport;
    const fault = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (entry.command === undefined && entry.url === undefined) {
      fault("command", "either `command` (a program) or `url` (an address) is needed");
    } else if (entry.command !== undefined && entry.url !== undefined) {
      fault("url", "use either `command` or `url`, not both");
    } else if (kind === "stdio" && entry.command === undefined) {
      fault("command", "a server of type stdio needs one");
    } else if (kind !== undefined && kind !== "stdio" && entry.url === undefined) {
      fault("url", `a server of type ${kind} needs one`);
    }
  });

export type ServerEntry = z.infer<typeof serverEntry>;

/** Where an entry stands. `project`: a file of the working folder, which is somebody else's until the user says otherwise. */
export type ConfigSource = "settings" | "user" | "project";

/** One configured server. Its variables are expanded when it starts, so that what is missing is said there. */
export interface ServerConfig {
  name: string;
  source: ConfigSource;
  /** Whose `.mcp.json` it stands in, where it is a project's. */
  folder?: string | undefined;
  entry: ServerEntry;
  /** Of VS Code's `inputs`: what `${input:ID}` asks for. */
  inputs: Readonly<Record<string, string>>;
}

export const isEnabled = ({ enabled, disabled }: ServerEntry): boolean => enabled ?? !disabled;
