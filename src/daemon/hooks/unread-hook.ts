import { type Agent, type HookAnswer, NO_ANSWER } from "../../agents/index.ts";
import type { Accepted } from "../journal/entry.ts";
import { folderOf } from "./incoming.ts";

interface Parts {
  readonly agents: ReadonlyMap<string, Agent>;
  /** Whether gates close in a folder when its extensions cannot be asked. */
  readonly closes: (folder: string) => boolean;
}

const REASON =
  "Seam could not read what the agent is about to do, and an extension that must not be missing could not be asked. Run: seam doctor";

/**
 * The answer to a hook that nobody was asked about because it could not be read: a gate does what the
 * user chose for extensions that cannot be asked.
 */
export function unreadAnswer(parts: Parts, accepted: Accepted): HookAnswer {
  return isUnread(parts, accepted) ? closedAnswer(parts, accepted) : NO_ANSWER;
}

/** The answer of a gate whose extensions could not be asked. */
export function closedAnswer({ agents, closes }: Parts, accepted: Accepted): HookAnswer {
  const { agent, hook, payload = {} } = accepted;
  const hooks = agents.get(agent)?.hooks;
  const row = rowOf(agents.get(agent), hook);
  const isGate = row?.events.includes("tool_call") && row.powers.includes("block");
  if (!hooks || !isGate || !closes(folderOf(accepted) ?? process.cwd())) return NO_ANSWER;
  return hooks.answer(hook, { block: { reason: REASON } }, payload);
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
