import type { EventMap, ImageContent, SkillEvent, UserMessage } from "../events/index.ts";
import type { Core } from "./core.ts";
import { expandPrompt, expandSkillCommand, promptInvocation } from "./resources/index.ts";

export interface PromptOptions {
  readonly images?: ImageContent[];
  readonly source?: "interactive" | "rpc" | "extension";
  /** What to do while the agent works: before its next step, or when it would stop. */
  readonly deliverAs?: "steer" | "followUp";
  /** Told when the agent has begun to work on it, or has queued it. */
  readonly onAccepted?: () => void;
}

/** What becomes of something the user entered. */
export type Entered =
  | { readonly kind: "handled" }
  | { readonly kind: "message"; readonly message: UserMessage; readonly skill?: SkillEvent };

/** Commands run at once; everything else goes through `input` and is expanded. */
export async function enter(core: Core, text: string, options: PromptOptions): Promise<Entered> {
  const command = commandIn(core, text);
  if (command) {
    await core.cuts.apart(() => command.run());
    return { kind: "handled" };
  }
  const { images, source = "interactive" } = options;
  const decision = await core.emitter.ask({
    type: "input",
    text,
    source,
    ...(images && { images }),
  });
  if (decision.endedBy !== undefined) return { kind: "handled" };
  const { event } = decision;
  const { skills, prompts } = core.resources;
  const skill = expandSkillCommand(event.text, skills);
  const expanded = skill?.text ?? expandPrompt(event.text, prompts)?.text ?? event.text;
  const message: UserMessage = {
    role: "user",
    content: [{ type: "text", text: expanded }, ...(event.images ?? [])],
    timestamp: Date.now(),
  };
  if (!skill) return { kind: "message", message };
  const used = promptInvocation({
    agent: "seam",
    skill: skill.skill.name,
    command: `/skill:${skill.skill.name}`,
    timestamp: new Date().toISOString(),
  });
  return { kind: "message", message, skill: used };
}

function commandIn(core: Core, text: string): { run(): Promise<void> } | undefined {
  const [, name, args = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = core.set.commands().find((one) => one.invocationName === name);
  return command && { run: () => command.run(args) };
}

/** A use of a skill is kept in the session. Returns the event that tells of it. */
export function noteSkill(core: Core, skillEvent: SkillEvent): EventMap["skill_invoked"] {
  core.session.appendCustomEntry("skill_event", skillEvent);
  return { type: "skill_invoked", skillEvent };
}
