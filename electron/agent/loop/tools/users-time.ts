import type { Clock, ToolContext } from "../../ports/ports.ts";

/** The context of a call that counts how long the call waits for the user, who may be asked for several things at once. */
export function countingUsersTime(context: ToolContext, clock: Clock): [ToolContext, waitedMs: () => number] {
  let waits = 0;
  let since = 0;
  let waitedMs = 0;
  const counted =
    <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked): Promise<Answer> => {
      if (waits === 0) since = clock.now();
      waits += 1;
      try {
        return await ask(...asked);
      } finally {
        waits -= 1;
        if (waits === 0) waitedMs += clock.now() - since;
      }
    };
  const { checkHost } = context;
  return [
    {
      ...context,
      ask: counted((question, ended) => context.ask(question, ended)),
      approve: counted((request, elsewhere) => context.approve(request, elsewhere)),
      ...(checkHost && { checkHost: counted((host, ended) => checkHost(host, ended)) }),
    },
    () => waitedMs + (waits > 0 ? clock.now() - since : 0),
  ];
}
