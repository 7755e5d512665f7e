import type { Command, CommanderError } from "commander";
import { type SeamError, usageError } from "../errors/index.ts";

/** What commander objects to, in Seam's words, with the step that fits it. */
export function wrongUsage(
  { code, message }: CommanderError,
  program: Command,
  args: readonly string[],
): SeamError {
  const command = commandNamed(program, args);
  const [objection = "", suggestion] = message.replace(/^error: /, "").split("\n");
  const [detail, hint] = WORDS[code]?.(objection, command) ?? [sentence(objection), see(command)];
  return usageError(detail, suggestion?.replace(/^\((.*)\)$/, "$1") ?? hint);
}

type Words = (objection: string, command: Command) => readonly [detail: string, hint: string];

const WORDS: Readonly<Record<string, Words>> = {
  // Commander has printed the help just before.
  "commander.help": () => ["A command is missing.", "Choose one of those above."],
  "commander.unknownCommand": (objection, command) => [
    `There is no command ${quotedIn(objection)}.`,
    see(command),
  ],
  "commander.unknownOption": (objection, command) => [
    `There is no option ${quotedIn(objection)}.`,
    see(command),
  ],
  "commander.missingArgument": (objection, command) => [
    `<${quotedIn(objection)}> is missing.`,
    use(command),
  ],
  "commander.optionMissingArgument": (objection) => [
    `The option ${quotedIn(objection)} needs a value.`,
    "Write the value behind it.",
  ],
  "commander.excessArguments": (objection, command) => [sentence(objection), use(command)],
  "commander.invalidArgument": (objection) => {
    const [what = "", how = ""] = objection.split(/(?<= is invalid\.) /);
    return [sentence(what), how];
  },
};

/** The command that the words name: `inbox answer 7` is `answer` of `inbox`. */
function commandNamed(program: Command, args: readonly string[]): Command {
  let command = program;
  for (const word of args) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
  }
  return command;
}

function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

const see = (command: Command) => `Which there are: ${pathOf(command)} --help`;
const use = (command: Command) =>
  `Use: ${pathOf(command)} ${command.usage().replace("[options] ", "")}`;

function quotedIn(text: string): string {
  return /'(.*)'/.exec(text)?.[1] ?? text;
}

function sentence(text: string): string {
  const begin = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(begin) ? begin : `${begin}.`;
}
