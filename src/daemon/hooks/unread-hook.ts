import { type Agent, type HookAnswer, type HookRow, NO_ANSWER } from "../../agents/index.ts";
import type { Accepted } from "../journal/entry.ts";
import { folderOf } from "./incoming.ts";

interface Parts {
  readonly agents: ReadonlyMap<string, Agent>;
  /** Whether gates close in a folder when its extensions cannot be asked. */
  readonly closes: (folder: string) => boolean;
  /** Is called for a gate that nobody could be asked about. */
  readonly unread: (hook: Accepted, became: "open" | "closed") => void;
}

const REASON =
  "Seam could not read what the agent is about to do, and an extension that must not be missing could not be asked. Run: seam doctor";

const OPEN =
  "Seam could not read what the agent is about to do, so no extension was asked, and the call was not stopped. Run: seam doctor";

/**
 * The answer to a hook that nobody was asked about because it could not be read: a gate does what the
 * user chose for extensions that cannot be asked. Either way the user is told.
 */
export function unreadAnswer(parts: Parts, accepted: Accepted): HookAnswer {
  if (!isUnread(parts, accepted)) return NO_ANSWER;
  const { agent, hook, payload = {} } = accepted;
  const hooks = parts.agents.get(agent)?.hooks;
  const row = rowOf(parts.agents.get(agent), hook);
  if (!hooks || !isGate(row)) return NO_ANSWER;
  const closed = closedAnswer(parts, accepted);
  parts.unread(accepted, closed === NO_ANSWER ? "open" : "closed");
  if (closed !== NO_ANSWER || !row?.powers.includes("message")) return closed;
  return hooks.answer(hook, { message: OPEN }, payload);
}

/** The answer of a gate whose extensions could not be asked. */
export function closedAnswer({ agents, closes }: Parts, accepted: Accepted): HookAnswer {
  const { agent, hook, payload = {} } = accepted;
  const hooks = agents.get(agent)?.hooks;
  const row = rowOf(agents.get(agent), hook);
  if (!hooks || !isGate(row) || !closes(folderOf(accepted) ?? process.cwd())) return NO_ANSWER;
  return hooks.answer(hook, { block: { reason: REASON } }, payload);
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
