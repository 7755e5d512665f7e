import { HandlerCall } from "../dispatch/index.ts";

/** A call that no deadline watches: a command, a tool, a shortcut. */
export function standaloneCall(signal?: AbortSignal): HandlerCall {
  const call = new HandlerCall();
  if (signal?.aborted) call.end(signal.reason);
  else signal?.addEventListener("abort", () => call.end(signal.reason), { once: true });
  return call;
}
