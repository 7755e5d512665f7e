export { answerCalls } from "./answer-calls.ts";
export { AskedThread } from "./asked-thread.ts";
