import { messageOf, systemCode } from "../errors/index.ts";
import type { ExtensionContext, InlineExtension } from "../extensions/index.ts";
import { openRepo } from "../git/index.ts";
import { isRecorded } from "../record/index.ts";
import { isRecord } from "../values/index.ts";
import { sendHook } from "./connection.ts";
import { type DaemonPaths, daemonPaths } from "./daemon-paths.ts";
import { launchDaemon } from "./launch.ts";

/** So long a person may hold a session: a day. Its handler does nothing but wait for that. */
const HELD_MS = 24 * 60 * 60_000;

/**
 * Records the sessions of Seam's own agent in a folder: an extension that tells the daemon what the
 * agent does, so that it is recorded as every other agent is. Undefined where nothing is recorded.
 */
export async function recordSession(
  cwd: string,
  warn: (text: string) => void,
): Promise<InlineExtension | undefined> {
  const repo = await openRepo(cwd);
  if (!repo || !(await isRecorded(repo))) return undefined;
  const paths = daemonPaths();
  try {
    await launchDaemon(paths);
  } catch (error) {
    warn(`This session is not recorded: ${messageOf(error)}`);
    return undefined;
  }
  return {
    name: "seam:record",
    factory: (pi) => {
      const inputs = new Map<string, unknown>();
      /** Calls that the daemon has said no to, and recorded as such. */
      const refused = new Set<string>();
      const tell = async (hook: string, event: object, ctx: ExtensionContext): Promise<Said> => {
        const { sessionManager, model } = ctx;
        const payload = {
          sessionId: sessionManager.getSessionId(),
          sessionFile: sessionManager.getSessionFile(),
          cwd,
          ...(model && { model: `${model.provider}/${model.id}` }),
          event,
        };
        try {
          const answer = await send(paths, { agent: "seam", hook, pid: process.pid, payload });
          const said = saidIn(answer);
          // Somebody interrupted this turn from outside.
          if (said.abort) ctx.abort();
          return said;
        } catch (error) {
          warn(`${hook} was not recorded: ${messageOf(error)}`);
          return {};
        }
      };
      pi.on("session_start", async (event, ctx) => void (await tell("session_start", event, ctx)));
      pi.on("before_agent_start", async ({ prompt }, ctx) => {
        await tell("agent_start", { prompt }, ctx);
        return undefined;
      });
      // The answer is awaited, so that the work tree is looked at before the agent changes it, and
      // so that a person who holds the session can take as long as it takes.
      pi.on(
        "tool_call",
        async (event, ctx) => {
          const { block, context } = await tell("tool_call", event, ctx);
          if (block !== undefined) {
            refused.add(event.toolCallId);
            return { block: true, reason: block };
          }
          return context === undefined ? undefined : { additionalContext: context };
        },
        { deadlineMs: HELD_MS },
      );
      pi.on("tool_execution_start", ({ toolCallId, args }) => void inputs.set(toolCallId, args));
      pi.on("tool_execution_end", async (event, ctx) => {
        const args = inputs.get(event.toolCallId);
        inputs.delete(event.toolCallId);
        if (refused.delete(event.toolCallId)) return;
        await tell("tool_execution_end", { ...event, args }, ctx);
      });
      pi.on("skill_invoked", async (event, ctx) => void (await tell("skill_invoked", event, ctx)));
      pi.on("agent_end", async (_, ctx) => void (await tell("agent_end", {}, ctx)));
      pi.on("session_shutdown", async (event, ctx) => {
        await tell("session_shutdown", event, ctx);
      });
    },
  };
}

/**
 * Tells the daemon, and starts another one if there is none any more: it was killed, or it left after
 * an hour in which the user of this session did something else.
 */
async function send(paths: DaemonPaths, hook: Parameters<typeof sendHook>[1]): Promise<string> {
  try {
    return await sendHook(paths, hook);
  } catch (error) {
    // Only where nobody can have heard it: what is told twice would be recorded twice.
    if (!NOBODY_LISTENS.has(systemCode(error) ?? "")) throw error;
    await launchDaemon(paths);
    return sendHook(paths, hook);
  }
}

const NOBODY_LISTENS: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOENT"]);

/** What a person, or the daemon for one, has to say to the agent. */
interface Said {
  readonly abort?: boolean;
  /** Why the call must not run. */
  readonly block?: string;
  /** For the model. */
  readonly context?: string;
}

function saidIn(answer: string): Said {
  if (answer === "") return {};
  try {
    const said: unknown = JSON.parse(answer);
    if (!isRecord(said)) return {};
    const { abort, block, context } = said;
    return {
      abort: abort === true,
      ...(typeof block === "string" && { block }),
      ...(typeof context === "string" && { context }),
    };
  } catch {
    return {};
  }
}
