import { canWrite } from "../agents/index.ts";
import { messageOf } from "../errors/index.ts";
import type { ExtensionContext, InlineExtension } from "../extensions/index.ts";
import { openRepo } from "../git/index.ts";
import { isRecorded } from "../record/index.ts";
import { isRecord } from "../values/index.ts";
import { sendHook, turnStarted } from "./connection.ts";
import { daemonPaths } from "./daemon-paths.ts";
import { launchDaemon } from "./launch.ts";

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
      /** The wait for the files to be kept as they were before the turn. */
      let started: Promise<void> | undefined;
      const tell = async (hook: string, event: object, ctx: ExtensionContext) => {
        const { sessionManager, model } = ctx;
        const payload = {
          sessionId: sessionManager.getSessionId(),
          sessionFile: sessionManager.getSessionFile(),
          cwd,
          ...(model && { model: `${model.provider}/${model.id}` }),
          event,
        };
        try {
          const answer = await sendHook(paths, { agent: "seam", hook, pid: process.pid, payload });
          // Somebody interrupted this turn from outside.
          if (wantsAbort(answer)) ctx.abort();
        } catch (error) {
          warn(`${hook} was not recorded: ${messageOf(error)}`);
        }
      };
      pi.on("session_start", (event, ctx) => tell("session_start", event, ctx));
      pi.on("before_agent_start", async ({ prompt }, ctx) => {
        started = undefined;
        await tell("agent_start", { prompt }, ctx);
        return undefined;
      });
      // Waited for: the work tree is looked at before the agent changes it.
      pi.on("tool_call", async ({ toolName }, { sessionManager }) => {
        if (!canWrite({ name: toolName })) return undefined;
        const session = sessionManager.getSessionId();
        started ??= turnStarted(paths, { agent: "seam", session }).catch(() => {});
        await started;
        return undefined;
      });
      pi.on("tool_execution_start", ({ toolCallId, args }) => void inputs.set(toolCallId, args));
      pi.on("tool_execution_end", (event, ctx) => {
        const args = inputs.get(event.toolCallId);
        inputs.delete(event.toolCallId);
        return tell("tool_execution_end", { ...event, args }, ctx);
      });
      pi.on("skill_invoked", (event, ctx) => tell("skill_invoked", event, ctx));
      pi.on("agent_end", (_, ctx) => tell("agent_end", {}, ctx));
      pi.on("session_shutdown", (event, ctx) => tell("session_shutdown", event, ctx));
    },
  };
}

function wantsAbort(answer: string): boolean {
  if (answer === "") return false;
  try {
    const said: unknown = JSON.parse(answer);
    return isRecord(said) && said.abort === true;
  } catch {
    return false;
  }
}
