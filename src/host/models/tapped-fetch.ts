import type { Model } from "../../events/index.ts";
import type { ModelRequestOptions } from "../../extensions/index.ts";

/** The SDKs insist on a key; where there is none, this stands for it and is taken out again. */
export const NO_KEY = "seam-has-no-key";

/** A fetch through which the real request and the real response can be seen and changed. */
export function tappedFetch(
  model: Model,
  { onPayload, onResponse }: Pick<ModelRequestOptions, "onPayload" | "onResponse">,
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
    return response;
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
