import type { AgentEventBody, ApprovalWish, ToolEffect } from "../../../shared/conversation/events.ts";
import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import type { ApprovalScope, PermissionRule } from "../../../shared/safety/permissions.ts";
import { keptAnswer } from "../../../shared/servers/forms.ts";
import type { Question } from "../ports/ports.ts";

export interface ApprovalRequest {
  toolUseId: string;
  /** The sub-agent that asks. Absent: the conversation's own run. */
  agentId?: string | undefined;
  name: string;
  effect: ToolEffect;
  wish?: ApprovalWish | undefined;
  /** Exactly what will run or change. */
  detail: string;
  /** What it changes in files, as a unified diff. */
  diff?: string | undefined;
  /** Why it asks, where it is not just the mode. */
  why?: string | undefined;
  /** What a yes for longer than this call writes. */
  rules?: PermissionRule[] | undefined;
  mayBeSpoken?: boolean | undefined;
  /** Whether a command can be run outside of the fence, for once. */
  mayRunOutside?: boolean | undefined;
  /** Files that the user's own tools run and that this conversation changed: what a command outside would obey. */
  changedToolFiles?: string[] | undefined;
  /** Of a host: a yes to this call is one for the conversation. */
  holdsInConversation?: boolean | undefined;
  /** A yes lets a command run without a fence: no rewind brings back what it does. */
  runsOutside?: boolean | undefined;
  /** Where the prompt of the run was heard. */
  source?: SpeechSource | null | undefined;
}

export interface ApprovalAnswer {
  allowed: boolean;
  /** Nobody answered: its run ended. */
  isStopped?: boolean | undefined;
  reason?: string | undefined;
  /** Of a yes; once, where it is not said. */
  scope?: ApprovalScope | undefined;
  /** Of a yes: the command runs outside of the fence, for once. */
  outside?: boolean | undefined;
}

interface Waiting<Answer> {
  settle(answer: Answer): void;
}

/**
 * What waits for the user: approvals and questions, of the run and of its sub-agents. Each is settled exactly once, by
 * the user or by the end of whoever asked, so nothing hangs.
 */
export class PendingRequests {
  readonly #approvals = new Map<string, Waiting<ApprovalAnswer>>();
  readonly #questions = new Map<string, Waiting<string | null>>();
  #hasWaiting = false;
  readonly #newId: () => string;
  readonly #emit: (body: AgentEventBody) => void;
  readonly #onChange: (waits: boolean) => void;

  /** @param onChange called when the first begins to wait, and when none does any more */
  constructor(newId: () => string, emit: (body: AgentEventBody) => void, onChange: (waits: boolean) => void) {
    this.#newId = newId;
    this.#emit = emit;
    this.#onChange = onChange;
  }

  get hasApproval(): boolean {
    return this.#approvals.size > 0;
  }

  /**
   * @param elsewhere an answer that is given in another place, if it comes first
   * @returns the user's word; a denial when the signal ends it
   */
  async approve(
    request: ApprovalRequest,
    signal: AbortSignal,
    elsewhere?: Promise<ApprovalAnswer>,
  ): Promise<ApprovalAnswer> {
    const approvalId = this.#newId();
    void elsewhere?.then((answer) => this.#approvals.get(approvalId)?.settle(answer));
    const asked: AgentEventBody = { type: "approval.requested", approvalId, ...request };
    const ended: ApprovalAnswer = { allowed: false, isStopped: true };
    return await this.#wait(
      this.#approvals,
      approvalId,
      asked,
      ended,
      signal,
      ({ allowed, isStopped, reason, scope, outside }) =>
        this.#emit({
          type: "approval.resolved",
          approvalId,
          allowed,
          ...(isStopped && { isStopped }),
          ...(reason !== undefined && { reason }),
          ...(allowed && !outside && scope !== undefined && scope !== "once" && { scope }),
          ...(allowed && outside && request.mayRunOutside && { outside }),
        }),
    );
  }

  /** A secret in the answer to a form goes to whoever asked, and into no event. @returns the user's answer @throws the signal's reason when that ends it */
  async ask(
    question: Question & { toolUseId?: string | undefined; agentId?: string | undefined },
    signal: AbortSignal,
  ): Promise<string> {
    const questionId = this.#newId();
    const asked: AgentEventBody = { type: "question.asked", questionId, ...question };
    const { form } = question;
    const answer = await this.#wait(this.#questions, questionId, asked, null, signal, (given) =>
      this.#emit({
        type: "question.answered",
        questionId,
        answer: form && given !== null ? keptAnswer(form, given) : given,
      }),
    );
    if (answer === null) throw signal.reason;
    return answer;
  }

  /** @throws Error when no such approval waits */
  answerApproval(approvalId: string, answer: ApprovalAnswer): void {
    const waiting = this.#approvals.get(approvalId);
    if (!waiting)
      throw new Error("This approval is no longer waiting: it was answered, or its run has ended.");
    waiting.settle(answer);
  }

  /** @throws Error when no such question waits */
  answerQuestion(questionId: string, answer: string): void {
    const waiting = this.#questions.get(questionId);
    if (!waiting)
      throw new Error("This question is no longer waiting: it was answered, or its run has ended.");
    waiting.settle(answer);
  }

  #wait<Answer>(
    waiting: Map<string, Waiting<Answer>>,
    id: string,
    asked: AgentEventBody,
    ended: Answer,
    signal: AbortSignal,
    onSettled: (answer: Answer) => void,
  ): Promise<Answer> {
    return new Promise((resolve) => {
      const onAbort = () => settle(ended);
      const settle = (answer: Answer) => {
        if (!waiting.delete(id)) return;
        signal.removeEventListener("abort", onAbort);
        onSettled(answer);
        this.#tellChange();
        resolve(answer);
      };
      waiting.set(id, { settle });
      this.#emit(asked);
      // A tool that pays no heed to its stop asks when the run is over: nobody waits for that.
      if (signal.aborted) return settle(ended);
      this.#tellChange();
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Only what was told to begin is told to end, also where a listener answers at once. */
  #tellChange(): void {
    const waits = this.#approvals.size + this.#questions.size > 0;
    if (waits === this.#hasWaiting) return;
    this.#hasWaiting = waits;
    this.#onChange(waits);
  }
}
