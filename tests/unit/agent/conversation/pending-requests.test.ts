import { beforeEach, describe, expect, test } from "vitest";
import {
  type ApprovalRequest,
  PendingRequests,
} from "../../../../electron/agent/conversation/pending-requests.ts";
import type { AgentEventBody } from "../../../../shared/conversation/events.ts";

let told: AgentEventBody[];
let waits: boolean[];
let requests: PendingRequests;
const running = () => new AbortController();

beforeEach(() => {
  told = [];
  waits = [];
  let count = 0;
  requests = new PendingRequests(
    () => `d${++count}`,
    (event) => told.push(event),
    (now) => waits.push(now),
  );
});

const request: ApprovalRequest = {
  toolUseId: "t",
  name: "shell",
  effect: "execute",
  detail: "make",
  rules: [],
};

/** Names of what was asked and not answered, in the order in which it was told. */
const waiting = () =>
  told.flatMap((asked) =>
    asked.type === "approval.requested" &&
    !told.some((told) => told.type === "approval.resolved" && told.approvalId === asked.approvalId)
      ? [asked.name]
      : [],
  );

describe("what waits for the user", () => {
  test("is told whole, and settled once, with how long the yes holds", async () => {
    const answer = requests.approve({ ...request, why: "because" }, running().signal);
    expect(told).toEqual([{ type: "approval.requested", approvalId: "d1", ...request, why: "because" }]);
    expect(waiting()).toEqual(["shell"]);
    requests.answerApproval("d1", { allowed: true, scope: "session" });
    expect(await answer).toEqual({ allowed: true, scope: "session" });
    expect(told[1]).toEqual({ type: "approval.resolved", approvalId: "d1", allowed: true, scope: "session" });
    expect(() => requests.answerApproval("d1", { allowed: true })).toThrow("no longer waiting");
    expect(waiting()).toEqual([]);
  });

  test("stands in the order it came, each answered by itself", async () => {
    const answers = ["a", "b", "c"].map((name) => requests.approve({ ...request, name }, running().signal));
    expect(waiting()).toEqual(["a", "b", "c"]);
    requests.answerApproval("d2", { allowed: false, reason: "no" });
    expect(waiting()).toEqual(["a", "c"]);
    expect(waits).toEqual([true]);
    requests.answerApproval("d1", { allowed: true });
    requests.answerApproval("d3", { allowed: true });
    expect(waits).toEqual([true, false]);
    expect((await Promise.all(answers)).map(({ allowed }) => allowed)).toEqual([true, false, true]);
  });

  // Bug: an end without a beginning was told, and later runs waited for ever for a place.
  test("is told to wait only as often as it is told to end, also where a listener answers at once", async () => {
    let count = 0;
    const prompt: PendingRequests = new PendingRequests(
      () => `d${++count}`,
      (event) => {
        if (event.type === "approval.requested") prompt.answerApproval(event.approvalId, { allowed: true });
      },
      (now) => waits.push(now),
    );
    expect(await prompt.approve(request, running().signal)).toEqual({ allowed: true });
    expect(waits).toEqual([]);
  });

  // Bug: a run that is stopped, or a process that ends, must not count as a yes.
  test("is denied when its run ends, before or while it waits", async () => {
    const controller = running();
    const answer = requests.approve(request, controller.signal);
    controller.abort();
    expect(await answer).toMatchObject({ allowed: false });
    // Bug: it said "Denied", with a reason that nobody gave.
    expect(told[1]).toEqual({ type: "approval.resolved", approvalId: "d1", allowed: false, isStopped: true });
    expect(await requests.approve(request, controller.signal)).toMatchObject({ allowed: false });
    expect(told.filter(({ type }) => type === "approval.resolved")).toHaveLength(2);
    expect(waiting()).toEqual([]);
  });

  // Bug: a tool that paid no heed to its stop asked when its run was over, and the conversation went on working for ever.
  test("makes nobody wait where its run has ended already", async () => {
    const controller = running();
    controller.abort();
    await requests.approve(request, controller.signal);
    await expect(requests.ask({ question: "Where to?", options: [] }, controller.signal)).rejects.toThrow();
    expect(waits).toEqual([]);
    expect(waiting()).toEqual([]);
  });

  test("is settled by an answer from elsewhere, if that comes first", async () => {
    const late = Promise.resolve({ allowed: false, reason: "too late" });
    const first = requests.approve(
      request,
      running().signal,
      late.then(() => late),
    );
    requests.answerApproval("d1", { allowed: true });
    expect(await first).toEqual({ allowed: true });
    const reason = "Answered in the list.";
    const elsewhere = Promise.resolve({ allowed: false, reason });
    expect(await requests.approve(request, running().signal, elsewhere)).toEqual({ allowed: false, reason });
    expect(told.at(-1)).toEqual({ type: "approval.resolved", approvalId: "d2", allowed: false, reason });
    expect(waiting()).toEqual([]);
  });

  test("is told apart: a question needs no approval", async () => {
    const question = requests.ask({ question: "Where to?", options: [] }, running().signal);
    expect(requests.hasApproval).toBe(false);
    const answer = requests.approve(request, running().signal);
    expect(requests.hasApproval).toBe(true);
    requests.answerApproval("d2", { allowed: true });
    expect(requests.hasApproval).toBe(false);
    requests.answerQuestion("d1", "Bergen");
    await Promise.all([question, answer]);
  });

  test("a no keeps no scope", async () => {
    const answer = requests.approve(request, running().signal);
    requests.answerApproval("d1", { allowed: false, scope: "always" });
    await answer;
    expect(told[1]).toEqual({ type: "approval.resolved", approvalId: "d1", allowed: false });
  });
});
