export { type Ask, type AskedCall, type Asker, joinAsks } from "./ask.ts";
export { HandlerCall } from "./call.ts";
export type { Problem } from "./caller.ts";
export { checkArguments } from "./check-arguments.ts";
export { contextText, decide } from "./decide.ts";
export {
  type ClaimDecision,
  type CollectDecision,
  type Decision,
  type DecisionOf,
  type GateDecision,
  type Permission,
  type Refusal,
  type ToolOutput,
  type TraceStep,
  type TransformDecision,
  UNDECIDED,
} from "./decision.ts";
export {
  Dispatcher,
  type DispatcherOptions,
  type EmitOptions,
  type HandlerReport,
} from "./dispatcher.ts";
export type { HandlerOptions, Owner } from "./handler.ts";
export {
  codeIn,
  metering,
  onSlot,
  type RunningCode,
  runAs,
  running,
  unsettled,
} from "./running.ts";
export { decideToolCall, type ToolCallDecision } from "./tool-call.ts";
