import { SeamError } from "../errors/index.ts";
import type { ImageContent, SkillEvent, UserMessage } from "../events/index.ts";
import type { Core } from "./core.ts";
import { ownCommand } from "./own-commands.ts";
import {
  expandPrompt,
  expandSkillCommand,
  promptInvocation,
  unknownSkill,
} from "./resources/index.ts";

/** Something the agent is to work on. */
export interface Prompt {
  readonly text: string;
  readonly images?: ImageContent[];
}

export interface SayOptions {
  readonly images?: ImageContent[];
  readonly source?: "interactive" | "rpc" | "extension";
}

/** How a prompt is handed to the agent. */
export interface PromptOptions extends SayOptions {
  /** What to do while the agent works: before its next step, or when it would stop. */
  readonly deliverAs?: "steer" | "followUp";
  /** Is called when the agent has begun to work on the prompt, or has queued it. */
  readonly onAccepted?: () => void;
  /** False: a slash means nothing; neither commands nor skills nor templates are looked for. */
  readonly expands?: boolean;
}

/** What becomes of something the user entered. */
export type Entered =
  | { readonly kind: "handled" }
  | { readonly kind: "message"; readonly message: UserMessage; readonly skill?: SkillEvent };

/** Commands run at once, or not at all; everything else goes through `input` and is expanded. */
export async function enter(
  core: Core,
  text: string,
  options: PromptOptions & { readonly refuseCommands?: boolean },
): Promise<Entered> {
  const { expands = true } = options;
  const command = expands ? commandIn(core, text) : undefined;
  if (command) {
    const { name } = command;
    if (options.refuseCommands) throw new SeamError("SEAM_COMMAND_QUEUED", { name });
    await command.run();
    return { kind: "handled" };
  }
  const { images, source = "interactive" } = options;
  const decision = await core.emitter.emit({
    type: "input",
    text,
    source,
    ...(images && { images }),
    ...(core.run.running && { streamingBehavior: options.deliverAs ?? "followUp" }),
  });
  if (decision.endedBy !== undefined) return { kind: "handled" };
  const { event } = decision;
  const { skills, prompts } = expands ? core.session.resources : { skills: [], prompts: [] };
  const skill = expandSkillCommand(event.text, skills);
  const template = skill ? undefined : expandPrompt(event.text, prompts);
  const unknown = skill || template || !expands ? undefined : unknownSkill(event.text, skills);
  if (unknown) throw unknown;
  const expanded = skill?.text ?? template?.text ?? event.text;
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

function commandIn(
  core: Core,
  text: string,
): { readonly name: string; run(): Promise<void> } | undefined {
  const [, name, args = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const command = core.session.set.commands().find((one) => one.invocationName === name);
  if (command) return { name, run: () => command.run(args) };
  const own = ownCommand(name, core, args);
  return own && { name, run: () => own.run() };
}
