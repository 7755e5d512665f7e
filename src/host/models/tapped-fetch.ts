import type { Model } from "../../events/index.ts";
import type { ModelRequestOptions } from "../../extensions/index.ts";

/** The SDKs insist on a key; where there is none, this stands for it and is taken out again. */
export const NO_KEY = "seam-has-no-key";

/** A fetch through which the real request and the real response can be seen and changed. */
export function tappedFetch(
  model: Model,
  {
    onPayload,
    onResponse,
    onProviderStreamEvent,
  }: Pick<ModelRequestOptions, "onPayload" | "onResponse" | "onProviderStreamEvent">,
  keyHeader: string,
): typeof fetch {
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    if (headers.get(keyHeader)?.endsWith(NO_KEY)) headers.delete(keyHeader);
    const body = await tappedBody(init?.body, model, onPayload);
    const response = await fetch(url, { ...init, headers, ...(body !== undefined && { body }) });
    await onResponse?.(
      { status: response.status, headers: Object.fromEntries(response.headers) },
      model,
    );
    if (!onProviderStreamEvent) return response;
    return tappedResponse(response, (data) => onProviderStreamEvent(data, model));
  };
}

async function tappedBody(
  body: unknown,
  model: Model,
  onPayload: ModelRequestOptions["onPayload"],
): Promise<string | undefined> {
  if (typeof body !== "string" || !onPayload) return undefined;
  const payload: unknown = JSON.parse(body);
  // Handlers may also change the payload in place and return nothing.
  return JSON.stringify((await onPayload(payload, model)) ?? payload);
}

/**
 * The same response; of each server-sent event in it, `tell` gets the parsed data before whoever reads
 * the response gets the bytes. What is no JSON is told as text.
 */
function tappedResponse(response: Response, tell: (data: unknown) => unknown): Response {
  const isStream = response.headers.get("content-type")?.includes("text/event-stream");
  if (!response.body || !isStream) return response;
  const decoder = new TextDecoder();
  let rest = "";
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      rest += decoder.decode(chunk, { stream: true });
      const events = rest.split(/\r?\n\r?\n/);
      rest = events.pop() ?? "";
      for (const event of events) await told(event, tell);
      controller.enqueue(chunk);
    },
    async flush() {
      await told(rest, tell);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(tap), { status, statusText, headers });
}

async function told(event: string, tell: (data: unknown) => unknown): Promise<void> {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  if (lines.length === 0) return;
  const text = lines.map((line) => line.slice("data:".length).replace(/^ /, "")).join("\n");
  // The last one of some providers says that it is the last.
  if (text === "[DONE]") return;
  await tell(parsed(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
