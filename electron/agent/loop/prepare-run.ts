import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import { type ModelChoice, settingsFor } from "../../../shared/conversation/model-choice.ts";
import { grouped } from "../../../shared/grouped.ts";
import type { Context } from "../context/context.ts";
import { type GitSnapshot, type GitSnapshots, gitSnapshot } from "../context/git-snapshot.ts";
import { readProject } from "../context/project-documents.ts";
import { systemPrompt } from "../context/system-prompt.ts";
import type { PendingRequests } from "../conversation/pending-requests.ts";
import { type AgentOptions, trustOf } from "../ports/agent-options.ts";
import type { ExecutionEnvironment } from "../ports/ports.ts";
import { Budget, priceOf } from "./budget.ts";
import { CallIds } from "./call-ids.ts";
import type { RunContext, RunTasks, SystemFor } from "./run-context.ts";
import { fewTools, hasSmallWindow, mostTools, smallWindowTokens } from "./small-window.ts";
import type { Steering } from "./steering.ts";
import { keepBelow } from "./subagents/subagent-record.ts";
import { SubagentHost } from "./subagents/subagents.ts";
import type { CallStops } from "./tools/call-stops.ts";
import { offeredTools, toolsOfSubagent } from "./tools/offered-tools.ts";
import { toolFiles } from "./tools/tool-files.ts";
import { turnCheckpoints } from "./tools/turn-checkpoints.ts";

/** What of a conversation outlives its runs. */
export interface ConversationScope {
  readonly id: string;
  readonly modelChoice: ModelChoice;
  readonly context: Context;
  readonly environment: ExecutionEnvironment;
  readonly requests: PendingRequests;
  readonly steering: Steering;
  readonly tasks: RunTasks;
  readonly reportedFolders: Set<string>;
  readonly gitSnapshots: GitSnapshots;
  /** Files that the user's tools run, as the user saw them when they let a command run outside. */
  readonly acceptedToolFiles: Map<string, string>;
  readonly callStops: CallStops;
  readonly onRetryWait: (skip: () => void) => void;
  isOverheard: RunContext["isOverheard"];
  append: RunContext["append"];
  emit: RunContext["emit"];
  show: RunContext["show"];
  settled: RunContext["settled"];
}

export interface PreparedRun {
  run: RunContext;
  /** Ends what the run started. */
  host: SubagentHost;
}

/**
 * Takes everything as it is at the start of the run.
 * @param spent what the conversation has used; null: to be counted from what is kept of it and its sub-agents
 * @throws ModelError where the chosen provider cannot be had
 */
export async function prepareRun(
  options: AgentOptions,
  conversation: ConversationScope,
  { runId, source, signal }: { runId: string; source: SpeechSource | null; signal: AbortSignal },
  spent: Budget | null,
): Promise<PreparedRun> {
  const { clock, newId, permissions, store, reportError } = options;
  const { id: conversationId, context, environment } = conversation;
  const settings = Object.freeze(settingsFor(options.settings(), conversation.modelChoice));
  const provider = await options.createProvider(settings);
  const { profile } = provider;
  await provider.learnWindow?.(settings.model, signal);
  const isSmall = hasSmallWindow(settings, provider);
  if (isSmall && !toldSmall.has(context)) {
    toldSmall.add(context);
    conversation.emit({ type: "model.notice", message: smallNotice });
  }
  const offered = () => {
    const all = offeredTools(options.tools(conversationId), profile, settings.maxSubagentDepth > 0);
    return isSmall ? fewTools(all) : all;
  };
  const tools = offered();
  const project = await readProject(environment.workingDirectory, profile.projectDocuments, trustOf(options));
  const git = project.gitBranch === null ? null : await gitOf(options, conversation, { settings, source });
  const budget =
    spent ?? new Budget(store.usageOf(conversationId), (model) => priceOf(model, settings, provider));
  const { workingDirectory: workingFolder } = environment;
  const checkpoints = settings.checkpointsEnabled ? options.checkpoints : null;
  const host = new SubagentHost(() => run);
  const systemFor = ({ model, folder }: Pick<SystemFor, "model" | "folder">, offeredTo = tools) => {
    const id = provider.resolveModel(model);
    return systemPrompt({
      now: clock.now(),
      platform: environment.platform,
      osVersion: environment.osVersion,
      workingDirectory: environment.workingDirectory,
      folder,
      model: id,
      knowledgeCutoff: provider.modelFacts(id).knowledgeCutoff,
      project,
      git,
      tools: offeredTo.map(({ name }) => name),
      profileNotes: profile.notes,
      ownWords: settings["voice.words"].map(({ word }) => word),
      extra: settings.systemPromptExtra,
      source,
      isShort: isSmall,
    });
  };
  const run: RunContext = {
    runId,
    conversationId,
    source,
    isOverheard: conversation.isOverheard,
    settings,
    provider,
    get tools() {
      return offered();
    },
    system: systemFor({ model: settings.model }),
    systemFor: (changes) => systemFor(changes, toolsOfSubagent(tools, changes.maySpawn)),
    environment,
    permissions,
    fenceKnown: options.fenceKnown,
    get fence() {
      return options.fence(conversationId, workingFolder);
    },
    clock,
    signal,
    context,
    budget,
    steering: conversation.steering,
    requests: conversation.requests,
    subagents: host,
    tasks: conversation.tasks,
    callStops: conversation.callStops,
    onRetryWait: conversation.onRetryWait,
    checkpoints:
      checkpoints &&
      turnCheckpoints(
        checkpoints,
        {
          conversationId,
          runId,
          workingFolder,
          history: context.history,
          reportedFolders: conversation.reportedFolders,
          deleteLimit: settings.deleteLimit,
        },
        conversation.emit,
      ),
    toolFiles:
      checkpoints &&
      toolFiles(checkpoints, { conversationId, workingFolder, accepted: conversation.acceptedToolFiles }),
    newId,
    append: conversation.append,
    keepCall: (call) => {
      try {
        store.saveToolCall(conversationId, call);
      } catch (error) {
        reportError(error);
      }
    },
    fullOutput: (toolUseId) => store.loadToolCall(conversationId, toolUseId)?.output,
    callIds: new CallIds(() => store.toolCallIds(conversationId)),
    keepSubagent: keepBelow(store, conversationId),
    emit: conversation.emit,
    show: conversation.show,
    settled: conversation.settled,
    reportError,
  };
  return { run, host };
}

/** Conversations whose user knows. */
const toldSmall = new WeakSet<Context>();

const smallNotice = `This model reads less than ${grouped(smallWindowTokens)} tokens at once: it gets short instructions, at most ${mostTools} tools, and no project documents.`;

/** What git says of the folder, where a fence is around it. */
async function gitOf(
  { clock, fence }: AgentOptions,
  { id, environment, gitSnapshots }: ConversationScope,
  { settings, source }: Pick<RunContext, "settings" | "source">,
): Promise<GitSnapshot | null> {
  const folder = environment.workingDirectory;
  const around = fence(id, folder);
  if (!around) return null;
  const take = () => gitSnapshot(environment, around, settings);
  return await gitSnapshots.of(folder, take, { clock, isUrgent: source !== null });
}
