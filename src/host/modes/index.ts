export { jsonEvent, jsonLine } from "./json-event.ts";
export { JsonMode } from "./json-mode.ts";
export { runLastAnswer } from "./last-answer.ts";
export { takeStdout } from "./own-stdout.ts";
export { runRpc } from "./rpc-mode.ts";
export { RpcUI } from "./rpc-ui.ts";
export { runText, runTexts, type TextOutput } from "./text-mode.ts";
