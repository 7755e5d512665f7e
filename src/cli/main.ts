import { SeamError, usageError } from "../errors/index.ts";
import { addCommands } from "./command-list.ts";
import { helpText, wrapHelp } from "./help.ts";
import { isCapable, lineWidth } from "./print.ts";

/** Commands with which the user changes Seam's own files and hooks: nobody else's doing. */
const CHANGES_SEAM: ReadonlySet<string> = new Set([
  "enable",
  "disable",
  "trust",
  "doctor",
  "rules",
]);

/** The code with which Node itself ends a program that waits for what cannot happen any more. */
const UNSETTLED = 13;

/** `seam -p "…"` and `seam --mode json …` mean the agent, as they do for `pi`. */
function withCommand(args: readonly string[]): readonly string[] {
  const isRun = /^(-p|--print|--mode|-m|--model|-c|--continue|-r|--resume)(=|$)/.test(
    args[0] ?? "",
  );
  return isRun ? ["run", ...args] : args;
}

/** Pi's own commands for packages, in Seam's words: `seam pi install x` is `seam ext add x`. */
const PI_PACKAGES: Readonly<Record<string, string>> = {
  install: "add",
  remove: "remove",
  uninstall: "remove",
  update: "update",
  list: "list",
};

function asPackageCommand(args: readonly string[]): readonly string[] {
  const command = PI_PACKAGES[args[1] ?? ""];
  if (args[0] !== "pi" || command === undefined) return args;
  const rest = args.slice(2).map((arg) => (arg === "-l" || arg === "--local" ? "--project" : arg));
  return ["ext", command, ...rest];
}

/** `seam help log` is another way to say `seam log --help`. */
function withHelpOption(args: readonly string[]): readonly string[] {
  return args[0] === "help" ? [...args.slice(1), "--help"] : args;
}

async function main(given: readonly string[]): Promise<void> {
  const width = lineWidth();
  const isBare = given.length === 0 && process.stdin.isTTY && isCapable(process.stdout);
  if (isBare && !(await (await import("./commands/attach.ts")).chooseWhatToDo())) return;
  const args = isBare ? ["run"] : given;
  if (args[0] === "--help" || args[0] === "-h") {
    process.stdout.write(helpText(width));
    return;
  }
  if (args.length === 0) {
    process.stderr.write(`${helpText(lineWidth(process.stderr))}\n`);
    throw usageError("A command is missing.", "Choose one of those above.");
  }
  // Every session of an agent starts one: nothing is loaded that it does not need.
  if (args[0] === "mcp" && args.length === 1) {
    const { builtFile } = await import("../settings/index.ts");
    return import(builtFile("bin/mcp-pipe.js"));
  }
  await refuseMembers(args);
  const { Command, CommanderError } = await import("commander");
  const program = new Command("seam")
    // Errors are thrown and reported in one place; help that was asked for is printed here.
    .exitOverride()
    .helpCommand(false)
    // Every command has options; in a list of commands that is no news.
    .configureHelp({
      subcommandTerm: (command) =>
        `${command.name()} ${command.usage().replace("[options]", "").trim()}`.trim(),
    })
    .configureOutput({
      writeOut: (text) => void process.stdout.write(wrapHelp(text, width)),
      outputError: () => {},
    });
  const [name] = args;
  if (name === "-V" || name === "--version") {
    program.version((await import("../settings/index.ts")).packageVersion());
  }
  await loadAgents();
  const isKnown = await addCommands(program, name);
  const isRun = name === "run" || name === "pi";
  const words = isRun ? (await import("./run/prompt-argument.ts")).withLiteralPrompt(args) : args;
  // Of a command that does not exist there is no help either: only its name is looked at.
  const parsed = isKnown ? words : words.slice(0, 1);
  const parse = async () => {
    try {
      await program.parseAsync(parsed, { from: "user" });
    } catch (thrown) {
      if (!(thrown instanceof CommanderError)) throw thrown;
      // Help or the version that was asked for, and printed.
      if (thrown.exitCode === 0) return;
      throw (await import("./wrong-usage.ts")).wrongUsage(thrown, program, parsed);
    }
  };
  const isPackages = name === "ext" && /^(add|remove|update)$/.test(args[1] ?? "");
  if (!isPackages && !CHANGES_SEAM.has(name ?? "")) return parse();
  const { byTheUser } = await import("../protection/index.ts");
  const { seamHome } = await import("../settings/index.ts");
  await byTheUser(seamHome(), parse);
}

/** An agent of a crew, or a script that it started, decides nothing in the place of a person. */
async function refuseMembers(args: readonly string[]): Promise<void> {
  if (process.env.SEAM_CREW_ATTEMPT === undefined) return;
  const { isPeoplesCommand } = await import("../protection/index.ts");
  if (!isPeoplesCommand(args)) return;
  throw new SeamError("SEAM_CREW_MEMBER", { command: args.slice(0, 2).join(" ") });
}

/** Agents of packages, if the settings name any: else nothing more is loaded for it. */
async function loadAgents(): Promise<void> {
  const { loadSettings } = await import("../settings/index.ts");
  const { user, project } = loadSettings(process.cwd()).listed;
  if (user.agents.length + project.agents.length === 0) return;
  const { loadAgentPackages } = await import("../daemon/index.ts");
  for (const problem of await loadAgentPackages(process.cwd())) {
    process.stderr.write(`${problem.message}\n`);
  }
}

// `seam … | head` closes the pipe early: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  void report(new SeamError("SEAM_OUTPUT", { detail: error.message }), []).then(() => {
    process.exit(1);
  });
});

async function report(thrown: unknown, args: readonly string[]): Promise<number> {
  return (await import("./report-error.ts")).reportError(thrown, args);
}

const args = withHelpOption(withCommand(asPackageCommand(process.argv.slice(2))));
let isDone = false;
main(args)
  .catch(async (thrown: unknown) => {
    process.exitCode = await report(thrown, args);
  })
  .finally(() => {
    isDone = true;
  });
// A command that waits for what cannot happen any more has not succeeded.
process.once("beforeExit", () => {
  if (!isDone) process.exitCode ??= UNSETTLED;
});
