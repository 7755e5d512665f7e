import { Command } from "commander";
import { addCommands, COMMAND_GROUPS } from "../../src/cli/command-list.ts";

/** The commands that `seam --help` lists. */
export const COMMAND_NAMES = Object.values(COMMAND_GROUPS).flatMap((group) =>
  group.map(({ name }) => name),
);

/** Every command and subcommand by what one types, such as "ext check", without starting any. */
export async function commandTree(): Promise<Map<string, Command>> {
  const program = new Command("seam");
  for (const name of COMMAND_NAMES) await addCommands(program, name);
  return new Map(below(program, ""));
}

function below(command: Command, typed: string): [typed: string, Command][] {
  return command.commands.flatMap((one) => {
    const name = `${typed}${one.name()}`;
    return [[name, one] as [string, Command], ...below(one, `${name} `)];
  });
}
