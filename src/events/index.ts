export type { BoundaryContext, EntryDraft } from "./catalog/run.ts";
export type * from "./content.ts";
export type * from "./contract.ts";
export { convertToLlm } from "./convert-to-llm.ts";
export type {
  AnyEvent,
  Declaration,
  EventGroup,
  EventIds,
  EventKind,
  FailureRule,
} from "./declaration.ts";
export { explainUnknownEvent } from "./explain-unknown.ts";
export type * from "./messages.ts";
export { mismatch, payloadMismatch } from "./mismatch.ts";
export type * from "./model.ts";
export { isThinkingLevel, THINKING_LEVELS } from "./model.ts";
export { nearest } from "./nearest.ts";
export type * from "./notices.ts";
export { serializeConversation } from "./serialize-conversation.ts";
export type * from "./session-entries.ts";
export { SKILL_EVENTS_VERSION, SkillEventSchema } from "./skill-event.ts";
export { textOfContent } from "./text-of-content.ts";
export {
  addTokens,
  noTokens,
  noUsage,
  type TokenUsage,
  TokenUsageSchema,
  tokensSince,
} from "./token-usage.ts";
export * from "./tool-events.ts";
export {
  type CrewEventName,
  declarationOf,
  EVENT_NAMES,
  EVENTS,
  type EventName,
  isCrewEvent,
  isEventName,
  LIFECYCLE,
  type SeamEvent,
} from "./vocabulary.ts";
