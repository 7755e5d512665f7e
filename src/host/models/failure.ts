import type { AssistantMessage } from "../../events/index.ts";

/**
 * transient: the same request may work a little later. overflow: the conversation is too long for
 * the model. fatal: trying again will not help. aborted: someone wanted it to stop.
 */
export interface Failure {
  readonly kind: "transient" | "overflow" | "fatal" | "aborted";
  /** HTTP status, where the answer had one. */
  readonly status?: number;
  /** How long the provider asked to be left alone. */
  readonly retryAfterMs?: number;
}

/** What went wrong with an answer, or undefined if nothing did. */
export function failureOf(
  message: Pick<AssistantMessage, "stopReason" | "errorMessage">,
): Failure | undefined {
  if (message.stopReason === "aborted") return { kind: "aborted" };
  if (message.stopReason !== "error") return undefined;
  const text = message.errorMessage ?? "";
  const status = statusIn(text);
  const retryAfterMs = waitIn(text);
  return {
    kind: kindOf(text, status, retryAfterMs),
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

export function isTransient(message: AssistantMessage): boolean {
  return failureOf(message)?.kind === "transient";
}

function kindOf(text: string, status?: number, retryAfterMs?: number): Failure["kind"] {
  // Before overflow: some providers word a rate limit as "too many tokens, wait".
  if (status === 429 || RATE_LIMIT.test(text)) {
    return OUT_OF_CREDIT.test(text) && retryAfterMs === undefined ? "fatal" : "transient";
  }
  if (status === 413 || OVERFLOW.some((pattern) => pattern.test(text))) return "overflow";
  if (status !== undefined && TRANSIENT_STATUS(status)) return "transient";
  if (TRANSIENT.some((pattern) => pattern.test(text))) return "transient";
  return "fatal";
}

const TRANSIENT_STATUS = (status: number) => status === 408 || status === 409 || status >= 500;

const RATE_LIMIT = /rate.?limit|too many requests|throttl|resource.?exhausted/i;
const OUT_OF_CREDIT = /insufficient.?quota|credit balance|billing hard limit/i;

/** The words of Anthropic, OpenAI, Google and of the servers that speak OpenAI's language. */
const OVERFLOW = [
  /(?:prompt|input|request) is too long/i,
  /request_too_large/i,
  /context.?(?:length|window|size).{0,40}exceed/i,
  /exceed.{0,60}context.?(?:length|window|size)/i,
  /(?:longer|greater|larger) than the (?:model'?s )?context/i,
  /maximum (?:context|prompt) length/i,
  /input token count.{0,60}exceeds/i,
  /prompt token count.{0,60}exceeds/i,
  /exceeded.{0,20}token limit|token limit exceeded|too many (?:input )?tokens/i,
  /reduce the length of the (?:messages|prompt|input)/i,
];

const TRANSIENT = [
  /overloaded|over capacity|service.?unavailable|temporarily unavailable|try again/i,
  /internal.?(?:server.?)?error|server.?error|api_error|bad gateway|gateway time-?out/i,
  /connection (?:failed|lost|error|reset|refused|closed)|cannot connect|network.?error|fetch failed/i,
  /econn\w+|etimedout|epipe|enotfound|eai_again|socket hang up|other side closed|terminated/i,
  /timed? ?out/i,
  /answer was empty|ended before it was complete|ended without|premature close/i,
  // The SDK's words for an event that arrived garbled.
  /json parsing failed|type validation failed/i,
  // Gemini's way of saying that it garbled a tool call.
  /malformed.?function.?call/i,
];

/** `HTTP 429: …` is ours; `429 {…}`, `Error code: 429` and `status: 429` are how others write it. */
function statusIn(text: string): number | undefined {
  const found =
    /^(?:HTTP )?([45]\d\d)\b|(?:status|error) ?code:? ?([45]\d\d)|status:? ?([45]\d\d)/i.exec(text);
  const digits = found?.[1] ?? found?.[2] ?? found?.[3];
  return digits === undefined ? undefined : Number(digits);
}

/** `retry after 12 s` is ours; Gemini and OpenAI write "retry in 30.5s", "try again in 250ms". */
function waitIn(text: string): number | undefined {
  const found = /(?:re)?try (?:again )?(?:after|in) ([\d.]+) ?(ms|s|m)/i.exec(text);
  const amount = Number(found?.[1] ?? Number.NaN);
  if (Number.isNaN(amount)) return undefined;
  const unit = { ms: 1, s: 1_000, m: 60_000 }[found?.[2]?.toLowerCase() ?? "s"] ?? 1_000;
  return Math.round(amount * unit);
}
