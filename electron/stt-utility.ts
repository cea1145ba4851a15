import { asNodeFetch } from "./desktop/net/as-node-fetch.ts";
import { netFetch } from "./desktop/net/net-fetch.ts";
import { serveUtility } from "./stt-server/utility.ts";

// The speech-to-text server as the app runs it: what it downloads comes by the system's proxy, with its certificates.
serveUtility(asNodeFetch(netFetch));
