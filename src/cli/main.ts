#!/usr/bin/env node
import { Command } from "commander";
import { SeamError } from "../errors/index.ts";
import { reportError } from "./report-error.ts";

type Add = (program: Command) => void;

/** Each is loaded only when it is needed: most of the time a command takes is loading code. */
const COMMANDS: Record<string, () => Promise<Add>> = {
  run: async () => (await import("./commands/run.ts")).addRun,
  login: async () => (await import("./commands/login.ts")).addLogin,
  logout: async () => (await import("./commands/logout.ts")).addLogout,
  sessions: async () => (await import("./commands/sessions.ts")).addSessions,
  ext: async () => (await import("./commands/ext.ts")).addExt,
  trust: async () => (await import("./commands/trust.ts")).addTrust,
  config: async () => (await import("./commands/config.ts")).addConfig,
  events: async () => (await import("./commands/events.ts")).addEvents,
  daemon: async () => (await import("./commands/daemon.ts")).addDaemon,
  log: async () => (await import("./commands/log.ts")).addLog,
  show: async () => (await import("./commands/show.ts")).addShow,
  rewind: async () => (await import("./commands/rewind.ts")).addRewind,
  resume: async () => (await import("./commands/resume.ts")).addResume,
  sync: async () => (await import("./commands/sync.ts")).addSync,
  import: async () => (await import("./commands/import.ts")).addImport,
  forget: async () => (await import("./commands/forget.ts")).addForget,
  clean: async () => (await import("./commands/clean.ts")).addClean,
  enable: async () => (await import("./commands/enable.ts")).addEnable,
  disable: async () => (await import("./commands/disable.ts")).addDisable,
  status: async () => (await import("./commands/status.ts")).addStatus,
  agents: async () => (await import("./commands/agents.ts")).addAgents,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctor,
  demo: async () => (await import("./commands/demo.ts")).addDemo,
};

/** Commands with which the user changes Seam's own files and hooks: nobody else's doing. */
const CHANGES_SEAM: ReadonlySet<string> = new Set(["enable", "disable", "trust", "doctor"]);

/** `seam -p "…"` and `seam --mode json …` mean the agent, as they do for `pi`. */
function withCommand(args: readonly string[]): readonly string[] {
  const isRun = /^(-p|--print|--mode|-m|--model|-c|--continue|-r|--resume)(=|$)/.test(
    args[0] ?? "",
  );
  return isRun ? ["run", ...args] : args;
}

async function main(args: readonly string[]): Promise<void> {
  const program = new Command("seam")
    .description("One seam under every coding agent.")
    // Errors are thrown and told in one place, help that was asked for is printed here.
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .addHelpText(
      "after",
      '\nExamples:\n  seam demo\n  seam run -p "What is in this folder?"\n  seam ext new my-gate',
    );
  await loadAgents();
  const wanted = COMMANDS[args[0] ?? ""];
  if (wanted) {
    (await wanted())(program);
  } else {
    program.version((await import("../settings/index.ts")).packageVersion());
    for (const load of Object.values(COMMANDS)) (await load())(program);
  }
  const parsed =
    args[0] === "run" ? (await import("./run/prompt-argument.ts")).withLiteralPrompt(args) : args;
  const parse = () => program.parseAsync(parsed, { from: "user" });
  if (!CHANGES_SEAM.has(args[0] ?? "")) return void (await parse());
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
  reportError(new SeamError("SEAM_OUTPUT", { detail: error.message }), []);
  process.exit(1);
});

const args = withCommand(process.argv.slice(2));
try {
  await main(args);
} catch (thrown) {
  process.exitCode = reportError(thrown, args);
}
