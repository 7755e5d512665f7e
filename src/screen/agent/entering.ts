import type { ImageContent } from "../../events/index.ts";
import type { EmbeddedAgent } from "../../host/index.ts";
import { SCREEN_COMMANDS } from "../commands/index.ts";
import type { CommandSurroundings } from "../commands/screen-command.ts";
import type { SessionView } from "../transcript/session-view.ts";

export interface EnteringSurroundings {
  readonly view: SessionView;
  readonly commandSurroundings: (agent: EmbeddedAgent) => CommandSurroundings;
  /** Pictures that were pasted since the last prompt. */
  takeImages(): ImageContent[];
  requestRender(): void;
}

/** What becomes of what the user enters: a command, something for the shell, or a prompt. */
export async function enter(
  text: string,
  deliverAs: "steer" | "followUp",
  agent: EmbeddedAgent,
  around: EnteringSurroundings,
): Promise<void> {
  const shell = /^(!!?)\s*([\s\S]+)$/.exec(text);
  if (shell) return userBash(shell[2] ?? "", shell[1] === "!!", agent, around);
  const [, name = "", args = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  // One of an extension comes before one of ours.
  const isTaken = agent.commands.some((command) => command.name === name);
  const command = isTaken ? undefined : SCREEN_COMMANDS.find((one) => one.name === name);
  if (command) return command.run(around.commandSurroundings(agent), args.trim());
  const images = around.takeImages();
  const pictures = images.length > 0 ? { images } : {};
  return agent.prompt(text, { source: "interactive", deliverAs, ...pictures });
}

async function userBash(
  command: string,
  excludeFromContext: boolean,
  agent: EmbeddedAgent,
  { view, requestRender }: EnteringSurroundings,
): Promise<void> {
  const block = view.userBash(command, excludeFromContext);
  requestRender();
  const onOutput = (data: Buffer) => {
    block.addOutput(data.toString("utf8"));
    requestRender();
  };
  block.end(await agent.bash(command, { excludeFromContext, onOutput }));
}
