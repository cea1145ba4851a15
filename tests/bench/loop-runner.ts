import { runConversation } from "./loop-conversation.ts";
import { orderFromEnvironment } from "./loop-order.ts";

// BASE_URL=http://… STEPS=50 PARALLEL=1 HISTORY=0 npm run -s bench:loop-runner
// One conversation against an Anthropic-shaped server; its figures as JSON in the last line.
console.log(JSON.stringify(await runConversation(orderFromEnvironment())));
