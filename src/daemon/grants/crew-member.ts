import { join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import type { ExtensionContext, InlineExtension } from "../../extensions/index.ts";
import { confined, type Grant, judgeWork } from "../../protection/index.ts";
import { daemonPaths } from "../daemon-paths.ts";
import { leftWords, markDelivered, noteHeard } from "./attempt-notes.ts";
import { grantsFolder, readGrant } from "./grants.ts";

/**
 * Makes Seam's own agent a member of the crew that started it: it is held to what its attempt may do,
 * and hears what others say to it. Other agents get both through their hooks. Undefined: no crew
 * started this process.
 */
export function crewMember(env: NodeJS.ProcessEnv): InlineExtension | undefined {
  const id = env.SEAM_CREW_ATTEMPT;
  if (id === undefined || id === "") return undefined;
  const { home } = daemonPaths();
  const grant = readGrant(join(grantsFolder(home), `${id}.json`));
  if (!grant) throw new SeamError("SEAM_CREW_ATTEMPT_OVER", { attempt: id });
  return {
    name: "seam:crew",
    factory: (pi) => {
      const hear = () => {
        for (const word of leftWords(grant.folder)) {
          const message = { customType: "crew", content: word.text, display: true };
          pi.sendMessage(message, { deliverAs: "steer" });
          markDelivered(grant.folder, word);
        }
      };
      pi.on("session_start", (_, ctx) => note(grant, "session_start", ctx));
      pi.on("tool_call", ({ toolName, input }, ctx) => {
        const call = { name: toolName, input };
        const blocked = judgeWork(grant, call, ctx.cwd);
        const command = blocked === undefined ? confined(grant, call) : undefined;
        if (command !== undefined) Object.assign(input, { command });
        note(grant, "tool_call", ctx, {
          tool: toolName,
          ...(blocked !== undefined && { blocked }),
        });
        return blocked === undefined ? undefined : { block: true, reason: blocked };
      });
      pi.on("tool_result", () => {
        hear();
        return undefined;
      });
    },
  };
}

/** Notes a hook as the daemon notes those of other agents. */
function note(
  { folder }: Grant,
  event: string,
  { sessionManager, model }: ExtensionContext,
  more: { readonly tool?: string; readonly blocked?: string } = {},
): void {
  const transcript = sessionManager.getSessionFile();
  noteHeard(folder, {
    at: new Date().toISOString(),
    hook: event,
    session: sessionManager.getSessionId(),
    events: [event],
    ...(transcript !== undefined && { transcript }),
    ...(model && { model: `${model.provider}/${model.id}` }),
    ...more,
  });
}
