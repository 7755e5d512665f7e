#!/usr/bin/env node
import { SeamError } from "../errors/index.ts";
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

/** `seam -p "…"` and `seam --mode json …` mean the agent, as they do for `pi`. */
function withCommand(args: readonly string[]): readonly string[] {
  const isRun = /^(-p|--print|--mode|-m|--model|-c|--continue|-r|--resume)(=|$)/.test(
    args[0] ?? "",
  );
  return isRun ? ["run", ...args] : args;
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
    throw new SeamError("SEAM_USAGE", { detail: "A command is missing." });
  }
  // Every session of an agent starts one: nothing is loaded that it does not need.
  if (args[0] === "mcp" && args.length === 1) return (await import("./commands/mcp.ts")).pipe();
  const { Command } = await import("commander");
  const program = new Command("seam")
    // Errors are thrown and reported in one place; help that was asked for is printed here.
    .exitOverride()
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => void process.stdout.write(wrapHelp(text, width)),
      outputError: () => {},
    });
  const [name] = args;
  if (name === "-V" || name === "--version") {
    program.version((await import("../settings/index.ts")).packageVersion());
  }
  await loadAgents();
  await addCommands(program, name);
  const parsed =
    name === "run" ? (await import("./run/prompt-argument.ts")).withLiteralPrompt(args) : args;
  const parse = () => program.parseAsync(parsed, { from: "user" });
  if (!CHANGES_SEAM.has(name ?? "")) return void (await parse());
  const { byTheUser } = await import("../protection/index.ts");
  const { seamHome } = await import("../settings/index.ts");
  await byTheUser(seamHome(), parse);
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

const args = withHelpOption(withCommand(process.argv.slice(2)));
try {
  await main(args);
} catch (thrown) {
  process.exitCode = await report(thrown, args);
}
