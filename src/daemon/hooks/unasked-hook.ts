import { type Agent, type HookAnswer, type HookRow, NO_ANSWER } from "../../agents/index.ts";
import type { Accepted } from "../journal/entry.ts";
import { folderOf } from "./incoming.ts";

/** Why nobody was asked about a hook. */
export type UnaskedWhy = "unread" | "deadly" | "failed";

interface Parts {
  readonly agents: ReadonlyMap<string, Agent>;
  /** Whether gates close in a folder when its extensions cannot be asked. */
  readonly closes: (folder: string) => boolean;
  /** Is called for a gate that nobody could be asked about. */
  readonly unasked: (hook: Accepted, why: UnaskedWhy, became: "open" | "closed") => void;
}

const HAPPENED: Readonly<Record<UnaskedWhy, string>> = {
  unread: "Seam could not read what the agent is about to do",
  deadly: "Seam's daemon ended again and again over what the agent is about to do",
  failed: "Seam failed over what the agent is about to do",
};

/** The answer to a hook that was not understood. */
export function unreadAnswer(parts: Parts, accepted: Accepted): HookAnswer {
  return isUnread(parts, accepted) ? unaskedAnswer(parts, accepted, "unread") : NO_ANSWER;
}

/**
 * The answer to a hook that nobody was asked about: a gate does what the user chose for extensions that
 * cannot be asked. Either way the user is told.
 */
export function unaskedAnswer(parts: Parts, accepted: Accepted, why: UnaskedWhy): HookAnswer {
  const { agent, hook, payload = {} } = accepted;
  const hooks = parts.agents.get(agent)?.hooks;
  const row = rowOf(parts.agents.get(agent), hook);
  if (!hooks || !isGate(row)) return NO_ANSWER;
  const isClosed = parts.closes(folderOf(accepted) ?? process.cwd());
  parts.unasked(accepted, why, isClosed ? "closed" : "open");
  const happened = HAPPENED[why];
  if (isClosed) {
    const reason = `${happened}, and an extension that must not be missing could not be asked. Run: seam doctor`;
    return hooks.answer(hook, { block: { reason } }, payload);
  }
  if (!row?.powers.includes("message")) return NO_ANSWER;
  const message = `${happened}, so no extension was asked, and the call was not stopped. Run: seam doctor`;
  return hooks.answer(hook, { message }, payload);
}

function isGate(row: HookRow | undefined): boolean {
  return row?.events.includes("tool_call") === true && row.powers.includes("block");
}

/** Hooks that were read and need no answer are not among them. */
function isUnread({ agents }: Parts, { agent: name, hook, payload }: Accepted): boolean {
  const agent = agents.get(name);
  const row = rowOf(agent, hook);
  if (!row) return false;
  if (!payload) return true;
  try {
    return row.skip?.(payload) !== true && agent?.hooks?.read(hook, payload) === undefined;
  } catch {
    return true;
  }
}

function rowOf(agent: Agent | undefined, hook: string) {
  const mapping = agent?.hooks?.mapping ?? {};
  return Object.hasOwn(mapping, hook) ? mapping[hook] : undefined;
}
