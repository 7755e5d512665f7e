export { type Ask, type AskedCall, type Asker, joinAsks } from "./ask.ts";
export { HandlerCall } from "./call.ts";
export type { Problem } from "./caller.ts";
export type {
  ClaimDecision,
  CollectDecision,
  DecisionOf,
  GateDecision,
  TraceStep,
  TransformDecision,
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
