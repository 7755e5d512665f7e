import { signal } from "@preact/signals";
import type { Problem } from "../../src/view/api.ts";

/** The cookie is gone or was never there: the page has to be opened anew. */
export const isClosed = signal(false);

/** A request that was refused or never arrived, in words for people. */
export class Refused extends Error {
  readonly code: string;
  readonly next: string;

  constructor({ code, message, next }: Problem["error"]) {
    super(message);
    this.code = code;
    this.next = next;
  }
}

type Parameters = Readonly<Record<string, string | number | undefined>>;

/** The whole address of something the server answers, wherever the page is served. */
export function addressOf(path: string, parameters: Parameters = {}): string {
  const url = new URL(path, document.baseURI);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

export async function get<T>(
  path: string,
  parameters: Parameters = {},
  signal?: AbortSignal,
): Promise<T> {
  return answered<T>(fetch(addressOf(path, parameters), signal ? { signal } : {}));
}

export async function post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
  return answered<T>(
    fetch(addressOf(path), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    }),
  );
}

async function answered<T>(request: Promise<Response>): Promise<T> {
  const response = await request.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw unreachable();
  });
  if (response.ok) return response.json();
  throw refusal(response.status, await response.json().catch(() => undefined));
}

/** What the server said, or a sentence of our own where it said nothing we know. */
function refusal(status: number, body: Partial<Problem> | undefined): Refused {
  if (status === 401) isClosed.value = true;
  if (!body?.error && FROM_PROXY.has(status)) return unreachable();
  return new Refused(
    body?.error ?? {
      code: `HTTP ${status}`,
      message: `Seam answered with status ${status}.`,
      next: "Reload the page. If it stays, run `seam doctor`.",
    },
  );
}

const UNREACHABLE = "SEAM_VIEW_UNREACHABLE";
/** What a proxy in front of Seam says when Seam is not there. */
const FROM_PROXY: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether a request did not come to Seam: it may be sent again as it is. */
export function isUnreachable({ code }: Refused): boolean {
  return code === UNREACHABLE;
}

function unreachable(): Refused {
  return new Refused({
    code: UNREACHABLE,
    message: "Seam does not answer.",
    next: "The page tries again by itself. If the daemon has ended, start it with `seam view`.",
  });
}

/** Anything that was thrown, in words for people. */
export function asRefused(error: unknown): Refused {
  if (error instanceof Refused) return error;
  return new Refused({
    code: "SEAM_VIEW_PAGE",
    message: error instanceof Error ? error.message : String(error),
    next: "Reload the page. If it stays, run `seam doctor`.",
  });
}
