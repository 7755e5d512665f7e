import { randomUUID } from "node:crypto";
import {
  type AgentContext,
  type ClientCapabilities,
  methods,
  type PermissionOption,
  type RequestPermissionRequest,
  type SendRequestOptions,
  type SessionUpdate,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import {
  type AskDialog,
  dialogs,
  type ExtensionUIContext,
  headlessUI,
} from "../extensions/index.ts";
import { shownCall } from "./shown-call.ts";
import type { Updates } from "./updates.ts";

/** Where the questions of a session go. */
interface AskedClient {
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly cwd: string;
  /** The id is known once the session is open; nothing is asked before. */
  readonly sessionId: () => string;
  readonly updates: Updates;
  readonly tell: (update: SessionUpdate) => void;
}

/** Words that say no, so that a client paints the choice as one. */
const REFUSAL = /^(no|never|deny|block|reject|cancel|abort|stop)\b/i;

/**
 * The user interface of a session in an editor. A gate's question and a choice are permission
 * requests, which every client has; a text is asked for with a form, where the client has forms.
 */
export function acpUI(asked: AskedClient): ExtensionUIContext {
  const ask: AskDialog = (dialog, options = {}) => {
    const { signal, timeout } = options;
    const answered = () => {
      if (dialog.method === "input" || dialog.method === "editor") {
        return askText(asked, dialog.title, dialog.prefill ?? "", signal);
      }
      const choices = dialog.method === "confirm" ? ["Yes", "No"] : (dialog.options ?? []);
      const about = options.call
        ? aboutCall(asked, options.call)
        : aboutDialog(dialog.title, dialog.message);
      return choose(asked, about, choices, signal).then((chosen) =>
        dialog.method === "confirm" ? chosen?.toLowerCase() : chosen,
      );
    };
    return bounded(answered, signal, timeout);
  };
  return {
    ...headlessUI(),
    ...dialogs(ask),
    notify: (message, type = "info") =>
      asked.tell({ sessionUpdate: "notice", severity: type, title: message }),
  };
}

/** The call itself, with its whole command or difference: nobody should agree to a summary. */
function aboutCall(
  { updates, cwd }: AskedClient,
  call: { tool: string; input: Readonly<Record<string, unknown>>; reason: string },
): ToolCallUpdate {
  const shown = shownCall(call.tool, call.input, cwd);
  const reason = {
    type: "content" as const,
    content: { type: "text" as const, text: call.reason },
  };
  return {
    toolCallId: updates.callLike(call.tool, call.input)?.id ?? randomUUID(),
    rawInput: call.input,
    ...shown,
    content: [reason, ...shown.content],
  };
}

function aboutDialog(title: string, message: string | undefined): ToolCallUpdate {
  const text = message ?? "";
  return {
    toolCallId: randomUUID(),
    title,
    kind: "other",
    content: text === "" ? [] : [{ type: "content", content: { type: "text", text } }],
  };
}

async function choose(
  { client, sessionId }: AskedClient,
  toolCall: ToolCallUpdate,
  choices: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const options: PermissionOption[] = choices.map((name, at) => ({
    optionId: String(at),
    name,
    kind: REFUSAL.test(name) ? "reject_once" : "allow_once",
  }));
  const request: RequestPermissionRequest = { sessionId: sessionId(), toolCall, options };
  const { outcome } = await client.request(
    methods.client.session.requestPermission,
    request,
    cancelledBy(signal),
  );
  return outcome.outcome === "selected" ? choices[Number(outcome.optionId)] : undefined;
}

async function askText(
  { client, capabilities, sessionId }: AskedClient,
  message: string,
  prefill: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (!capabilities.elicitation?.form) return undefined;
  const answer = { type: "string" as const, title: "Answer", default: prefill };
  const reply = await client.request(
    methods.client.elicitation.create,
    {
      mode: "form",
      sessionId: sessionId(),
      message,
      requestedSchema: { type: "object", properties: { answer }, required: ["answer"] },
    },
    cancelledBy(signal),
  );
  const content = reply.action === "accept" && "content" in reply ? reply.content : undefined;
  const given: unknown =
    content && typeof content === "object" ? Reflect.get(content, "answer") : "";
  return typeof given === "string" && content ? given : undefined;
}

function cancelledBy(signal: AbortSignal | undefined): SendRequestOptions {
  return signal ? { cancellationSignal: signal } : {};
}

/** Nobody answered in time, or the client is gone: the extension's fallback holds. */
async function bounded(
  answered: () => Promise<string | undefined>,
  signal: AbortSignal | undefined,
  timeout: number | undefined,
): Promise<string | undefined> {
  if (signal?.aborted) return undefined;
  const over = new AbortController();
  const dismissed = new Promise<undefined>((resolve) => {
    const end = () => resolve(undefined);
    signal?.addEventListener("abort", end, { once: true, signal: over.signal });
    if (timeout === undefined) return;
    const timer = setTimeout(end, timeout);
    over.signal.addEventListener("abort", () => clearTimeout(timer));
  });
  try {
    return await Promise.race([answered().catch(() => undefined), dismissed]);
  } finally {
    over.abort();
  }
}
