import { explain, SeamError } from "../../errors/index.ts";
import { isRecord } from "../../values/index.ts";

const LONGEST = 2_000;

type Loose = Readonly<Record<string, unknown>>;

/**
 * What is said about a request that failed: HTTP status, the provider's words, how long to wait.
 * All of it is in the text, because the text is what a session keeps; `failureOf` reads it back.
 */
export function failureText(thrown: unknown, now = Date.now()): string {
  if (thrown instanceof SeamError || !isRecord(thrown)) return explain(thrown);
  const { statusCode, responseHeaders, code } = thrown;
  // An error in the middle of a stream has its status in its own words.
  const status = httpStatus(statusCode) ?? httpStatus(code);
  if (status === undefined) {
    const cause = networkCause(thrown);
    if (cause) return `Connection failed: ${cause}`;
  }
  const said = providerWords(thrown) || "no explanation";
  const wait = retryAfter(responseHeaders, now);
  const text = status === undefined ? said : `HTTP ${status}: ${said}`;
  return wait === undefined ? text : `${text} (retry after ${wait} s)`;
}

function httpStatus(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && number >= 400 && number < 600 ? number : undefined;
}

/** The innermost error with a code of the system's, which is what the network said. */
function networkCause(thrown: Loose): string | undefined {
  let cause: unknown = thrown.cause;
  let text: string | undefined;
  for (let depth = 0; isRecord(cause) && depth < 10; depth++) {
    const { code, message } = cause;
    if (typeof code === "string") {
      const said = typeof message === "string" ? message : "";
      text = said.includes(code) ? said : `${said} (${code})`.trim();
    }
    cause = cause.cause;
  }
  return text;
}

/** The message and the kind of error, from the error itself or from the body it came with. */
function providerWords(thrown: Loose): string {
  const body = parsedBody(thrown.responseBody);
  const error =
    isRecord(body) && isRecord(body.error) ? body.error : isRecord(body) ? body : thrown;
  const fromBody = typeof error.message === "string" ? error.message : undefined;
  // The SDK lists every form a garbled event could have had after this line.
  const own =
    typeof thrown.message === "string" ? (thrown.message.split("\nError message")[0] ?? "") : "";
  const raw = typeof thrown.responseBody === "string" ? thrown.responseBody.trim() : "";
  // Several providers put the useful name into `code`, others into `type` or `status`.
  const kinds = [error.type, error.code, error.status].filter(
    (kind): kind is string => typeof kind === "string" && kind !== "error",
  );
  const message = (fromBody || (body === undefined && raw) || own).slice(0, LONGEST);
  const kind = kinds.find((name) => !message.includes(name));
  return kind ? `${message} (${kind})`.trim() : message;
}

function parsedBody(body: unknown): unknown {
  if (typeof body !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(body);
    // Google wraps its error into a list when it fails before streaming.
    return Array.isArray(value) ? value[0] : value;
  } catch {
    return undefined;
  }
}

/** Seconds to wait: `Retry-After` is a number of seconds or a date. */
function retryAfter(headers: unknown, now: number): number | undefined {
  if (!isRecord(headers)) return undefined;
  const ms = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (ms >= 0) return Math.ceil(ms / 100) / 10;
  const value = headers["retry-after"];
  if (typeof value !== "string") return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return seconds;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
