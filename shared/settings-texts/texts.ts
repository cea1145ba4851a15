import type { SettingKey } from "../settings.ts";
import { fenceTexts } from "./fence.ts";
import type { SettingText } from "./text.ts";
import { voiceTexts } from "./voice.ts";

/** Each setting in words, in one place, for the settings page and docs/settings.md. */
export const settingTexts: Readonly<Record<SettingKey, SettingText>> = {
  provider: {
    title: "Provider",
    short:
      "Who answers. Automatic: the first with a key, otherwise a server on this computer that you agreed to.",
    help: "Who answers. `auto`: the first provider that has a key (Anthropic first), otherwise a local server you agreed to, otherwise the offline assistant. `local`: only that server; if it does not answer, nothing is sent elsewhere.",
  },
  model: {
    title: "Model",
    short: "Each conversation can change it in its header.",
    help: "An alias (`opus`, `sonnet`, `haiku`) or a full model id.",
  },
  effort: {
    title: "Effort",
    short: "How much the model thinks before it answers, if it can be told.",
    help: "How much the model thinks before it answers, if it can be told. `default` leaves it to the model. See [models.md](models.md).",
  },
  anthropicBaseUrl: {
    title: "Address of Anthropic’s API",
    short: "Another address for the API. Blank: Anthropic’s own.",
    help: "Use another address for the API: `https://`, or one on this computer. Also `ANTHROPIC_BASE_URL`.",
  },
  openaiBaseUrl: {
    title: "Address of OpenAI’s API",
    short: "Another address for the API, or a server that speaks OpenAI’s protocol. Blank: OpenAI’s own.",
    help: "Use another address for the API, or a server compatible with OpenAI’s: `https://`, or one on this computer. Also `OPENAI_BASE_URL`.",
  },
  localModelServers: {
    title: "Model servers on this computer",
    short: "The ones you agreed to use.",
    help: "Model servers on this computer that you agreed to use, such as `Ollama at 127.0.0.1:11434`.",
  },
  keyAddresses: {
    title: "Keys that may go elsewhere",
    short: "Keys you agreed to send to an address other than the provider’s own.",
    help: "Keys you agreed to send to an address other than the provider's own, such as `ANTHROPIC_API_KEY of the environment to https://gateway.example`.",
  },
  maxTokens: {
    title: "Longest reply",
    help: "The most tokens in one reply. Models that think get extra room for it.",
    unit: "tokens",
  },
  temperature: {
    title: "Temperature",
    short: "Higher: more varied. Anthropic takes 0 to 1, the others 0 to 2.",
    help: "0–1 for Anthropic, 0–2 for the others. A higher value is lowered to the provider's limit.",
  },
  contextWindow: {
    title: "Context window",
    short: "How much fits into a request. Blank: what Parley knows of the model, or asks its server.",
    help: "How many tokens fit into a request. If blank, what Parley knows of the model or its server says, or 32,000 if neither does.",
    unit: "tokens",
  },
  retryMax: { title: "Retries", help: "How many times a failed request is tried again." },
  retryBaseMs: {
    title: "First wait before a retry",
    short: "It doubles with each retry.",
    help: "Doubles with each retry, with jitter.",
    unit: "ms",
  },
  retryCapMs: {
    title: "Longest wait before a retry",
    short: "Also the most that a server can ask for.",
    help: "Also the most that a server's `Retry-After` can ask for.",
    unit: "ms",
  },
  requestTimeoutMs: {
    title: "Longest request",
    help: "Parley gives up on a request that takes longer.",
    unit: "ms",
  },
  streamIdleMs: {
    title: "Longest silence in a reply",
    help: "Parley gives up on a reply that sends nothing for this long.",
    unit: "ms",
  },
  maxParallelTools: { title: "Tools at the same time", help: "How many tools may run at the same time." },
  maxToolResultChars: {
    title: "Longest tool result",
    short: "How much of a result the model sees, for tools without a limit of their own; 0 = no limit.",
    help: "How many characters (UTF-16 units) of a tool result the model sees, for tools not listed in `toolOutputLimits`; 0 = no limit.",
    unit: "characters",
  },
  toolOutputLimits: {
    title: "Longest result of each tool",
    short: "How much of a result the model sees, by tool; 0 = no limit.",
    help: "How many characters of a result the model sees, by tool; 0 = no limit. If you lower `maxToolResultChars` below its default, the defaults here are lowered, too.",
    unit: "characters",
  },
  toolLineLimits: {
    title: "Most lines in a result of each tool",
    short: "How many lines of a result the model sees, by tool; 0 = no limit.",
    help: "How many lines of a result the model sees, by tool; applied after the limit in characters; 0 = no limit.",
    unit: "lines",
  },
  maxConversationMessages: {
    title: "Messages in a request",
    short: "Older ones are summarised or left out; 0 = no limit.",
    help: "The most messages in a request; 0 = no limit. Older ones are summarised, or left out if `compactionStrategy` is `none`.",
  },
  compactionStrategy: {
    title: "Summarise older messages",
    short: "Never: Parley warns you when 80 % of the context is used.",
    help: "`summarize`: older messages are summarised before the context is full. `none`: never, but Parley warns you at 80 %.",
  },
  compactionRatio: {
    title: "Summarise when the context is this full",
    short: "How full the context must be before older messages are summarised.",
    help: "How full the context window must be before older messages are summarised, by the provider's last count.",
    unit: "of the context",
  },
  compactionThresholdTokens: {
    title: "Summarise at this many tokens",
    short: "At this many tokens or at the share above, whichever comes first.",
    help: "Older messages are summarised at this many tokens or at the share above, whichever comes first. Estimated if the provider gives no count.",
    unit: "tokens",
  },
  protectedTailMessages: {
    title: "Newest messages kept as they are",
    help: "How many of the newest messages are never summarised.",
  },
  maxToolRoundsPerInput: {
    title: "Rounds of tools for one prompt",
    help: "The most rounds of tool calls for one prompt; 0 = no limit.",
  },
  maxTurns: {
    title: "Replies in one conversation",
    short: "Steps between tools count, too; 0 = no limit.",
    help: "The most replies of the model in one conversation, the steps between tools included; 0 = no limit.",
  },
  maxContinuations: {
    title: "Continue a reply that was cut off",
    help: "How many times a reply that reached its longest length is continued.",
    unit: "times",
  },
  maxSessionTokens: {
    title: "Token budget of a conversation",
    short: "Input and output together; 0 = no limit.",
    help: "Input and output tokens of one conversation, cached reads counted once; 0 = no limit. Also `npm start -- --max-tokens N`.",
    unit: "tokens",
  },
  maxSessionUsd: {
    title: "Money budget of a conversation",
    help: "What one conversation may cost in US dollars; 0 = no limit.",
    unit: "US dollars",
  },
  prices: {
    title: "Prices of models",
    help: "US dollars per million tokens, by model id. Replaces or adds to the built-in table.",
  },
  loopDetection: {
    title: "Stop a model that repeats itself",
    short: "It is warned first.",
    help: "`stop`: a model that repeats itself is warned, then stopped. `warn`: it is only warned.",
  },
  loopWarnAt: {
    title: "Repetitions before the warning",
    short: "How often the same call may give the same result before the warning.",
    help: "How many times the same call may give the same result before the warning. If results differ, 10 rounds.",
  },
  loopStopAt: {
    title: "Repetitions before the stop",
    short: "How often the same call may give the same result before the stop.",
    help: "How many times the same call may give the same result before the stop. If results differ, 20 rounds.",
  },
  loopWindow: {
    title: "Calls to compare",
    help: "How many earlier calls Parley looks back over to find repetitions.",
  },
  maxSubagentDepth: {
    title: "Depth of sub-agents",
    help: "How many levels deep sub-agents may start sub-agents of their own; 0 = no sub-agents.",
  },
  shellTimeoutMs: { title: "Longest command", help: "A command that takes longer is stopped.", unit: "ms" },
  environmentPolicy: {
    title: "Environment of commands",
    short: "Which environment variables commands get. Never an address that holds a password.",
    help: "Which environment variables commands get: all, those that shells, languages and builds need, a shorter list, or next to none. Never an address that holds a password.",
  },
  webFetchPrivate: {
    title: "Reach private networks",
    short: "Web pages may be fetched from this computer and from private networks.",
    help: "Whether `web_fetch` may reach this computer and private networks.",
  },
  quickShortcut: {
    title: "Quick prompt",
    short: "Opens the quick prompt from any program.",
    help: "The shortcut that opens the quick prompt from any program, such as `Alt+Space` or `Ctrl+Shift+K`. Blank: none. See [desktop.md](desktop.md).",
  },
  startAtLogin: {
    title: "Start at login",
    help: "Start Parley when you log in, without its window. The tray icon and the shortcut work.",
  },
  openLinks: {
    title: "Open parley:// links",
    short: "Links in other programs open Parley. A link only shows something or fills in a text box.",
    help: "Links in other programs open this package of Parley. A link only shows something or fills in a text box. A clone never takes them, and a `.deb` always does. See [desktop.md](desktop.md#links).",
  },
  lookForUpdates: {
    title: "Look for newer versions",
    short: "Once a day. A newer version is installed when you say so.",
    help: "Once a day, if this package has an update address. A newer version is downloaded, and installed when you say so. See [packages.md](packages.md).",
  },
  notifyFinished: {
    title: "Notify when an answer is ready",
    short: "While you are in another program. For approvals and questions you always get one.",
    help: "Show a notification when an answer is ready while you are in another program. For approvals and questions you always get one.",
  },
  checkSpelling: {
    title: "Check spelling",
    help: "Check spelling as you type. Dictionaries are downloaded from Google (not on macOS).",
  },
  attachMaxImages: { title: "Images with a prompt", help: "The most images you can attach to one prompt." },
  attachMaxImageBytes: {
    title: "Largest image",
    help: "A larger PNG or JPEG is made smaller; another image can't be attached.",
    unit: "bytes",
  },
  attachMaxImageSidePx: {
    title: "Longest side of an image",
    help: "A larger PNG or JPEG is made smaller; another image can't be attached.",
    unit: "px",
  },
  systemPromptExtra: {
    title: "Your own instructions",
    help: "Added to the end of the system prompt.",
    multiline: true,
  },
  memoryEnabled: {
    title: "Keep conversations",
    help: "Off: nothing of a conversation is written to disk, and no checkpoint is made.",
    atStart: true,
  },
  firstRun: {
    title: "Show the set-up at start",
    short: "Turned off once you finish or skip it. Help → Set up Parley shows it again.",
    help: "Show the set-up when Parley starts. Turned off once you finish or skip it; Help → Set up Parley shows it again.",
  },
  startWith: {
    title: "When Parley starts",
    help: "Show where you left off, or a new conversation.",
  },
  durability: {
    title: "Durability",
    short: "Safest also survives a power cut, but writes are slower.",
    help: "`normal` survives a crash of Parley; `full` also survives a power cut, but writes are slower.",
  },
  pruneEnabled: {
    title: "Delete old data",
    help: "Delete old data by the limits below; 0 turns a limit off. Pinned conversations stay.",
  },
  pruneSessionDays: {
    title: "Keep conversations for",
    help: "A conversation that you haven't used for longer is deleted.",
    unit: "days",
  },
  pruneMaxSessions: { title: "Conversations to keep", help: "When there are more, the oldest are deleted." },
  pruneEventDays: {
    title: "Keep events for",
    short: "Older events are deleted; messages stay.",
    help: "Older events are deleted from the database; messages stay. See [events.md](events.md).",
    unit: "days",
  },
  pruneCheckpointDays: {
    title: "Keep checkpoints for",
    help: "Older checkpoints are deleted. Then you can't rewind to before them.",
    unit: "days",
  },
  pruneCheckpointMb: {
    title: "Space for checkpoints",
    help: "The most file contents kept for rewinding.",
    unit: "MB",
  },
  checkpointsEnabled: {
    title: "Keep files for rewinding",
    help: "Keep a copy of files before they change, so that a rewind can bring them back.",
  },
  checkpointMaxFiles: {
    title: "Largest folder, in files",
    short: "In a folder with more files, changes by commands and MCP tools can’t be rewound.",
    help: "In a folder with more files, changes by commands and MCP tools can't be rewound. Parley says so before the call.",
    unit: "files",
  },
  checkpointMaxMb: {
    title: "Largest folder, in megabytes",
    short: "In a larger folder, changes by commands and MCP tools can’t be rewound.",
    help: "In a larger folder, changes by commands and MCP tools can't be rewound. Git history is counted separately.",
    unit: "MB",
  },
  checkpointMaxFileMb: {
    title: "Files count as large from",
    help: "Larger files are saved beside the database instead of in it.",
    unit: "MB",
  },
  checkpointLargeMb: {
    title: "Space for large files",
    help: "The most space all saved large files may take; 0 = save none.",
    unit: "MB",
  },
  checkpointFreeMb: {
    title: "Leave free on the disk",
    help: "Large files are not saved if that would leave less free space than this.",
    unit: "MB",
  },
  deleteLimit: {
    title: "Deleted files that end a run",
    help: "If a command deletes more files than this, the run ends; 0 = no limit.",
    unit: "files",
  },
  checkpointIgnore: {
    title: "Folders left out",
    help: "Names of folders that can be recreated, and so are not kept for rewinding.",
  },
  mcpServers: {
    title: "MCP servers in settings.json",
    short: "They are changed in the list above, or in the file.",
    help: "MCP servers, in the format that other desktop assistants use. See [mcp.md](mcp.md).",
  },
  workingFolder: {
    title: "Working folder",
    short: "Where a new conversation works.",
    help: "Where the file tools of a new conversation work. Keys in its `.env` count from the next start.",
  },
  logLevel: {
    title: "Log level",
    short: "What is said in conversations and keys are never logged.",
    help: "How much is logged. The console shows warnings and errors, or everything with `debug`. What is said in conversations and keys are never logged.",
  },
  logSinks: {
    title: "Where the log goes",
    short: "The file holds at most 30 MB.",
    help: "The file is `logs/parley.log` in the user-data folder: at most three files of 10 MB.",
  },
  permissionMode: {
    title: "Level of new conversations",
    short: "For conversations you have not chosen one for.",
    help: "The level of conversations you have not chosen one for: `look`, `ask` or `work`. See [permissions.md](permissions.md).",
  },
  permissionRules: {
    title: "Rules",
    short: "Deny goes before Ask, Ask before Allow.",
    help: "What runs without asking, what asks, and what is refused. Deny rules come first, then ask rules, then allow rules.",
  },
  theme: { title: "Theme", help: "The colours of the window." },
  announceReplies: {
    title: "Replies for screen readers",
    short: "How replies are read out. Approvals and errors are always read at once.",
    help: "Read replies out sentence by sentence as they are written, all at once at the end, or not at all. Approvals and errors are always read at once.",
  },
  questionMarkShowsKeys: {
    title: "Question mark shows the keys",
    help: "Outside of text boxes, ? alone lists all keys. Off: Ctrl+/ still does. Turn it off if a key gets pressed by accident.",
  },
  ...fenceTexts,
  ...voiceTexts,
};
