import type { Command } from "commander";

interface CommandEntry {
  readonly name: string;
  /** One line for `seam --help`, and the description of the command itself. */
  readonly summary: string;
  /** A command is loaded only when it is called: loading code takes most of a command's time. */
  readonly load: () => Promise<(program: Command) => void>;
}

/** Every command, in the groups and the order in which `seam --help` lists them. */
export const COMMAND_GROUPS: Readonly<Record<string, readonly CommandEntry[]>> = {
  "Your agents": [
    {
      name: "enable",
      summary: "let your coding agents call Seam",
      load: async () => (await import("./commands/enable.ts")).addEnable,
    },
    {
      name: "disable",
      summary: "take Seam out of the settings of your coding agents",
      load: async () => (await import("./commands/disable.ts")).addDisable,
    },
    {
      name: "status",
      summary: "show which agents call Seam here, and what is in force",
      load: async () => (await import("./commands/status.ts")).addStatus,
    },
    {
      name: "doctor",
      summary: "find out why a hook or an extension does not run",
      load: async () => (await import("./commands/doctor.ts")).addDoctor,
    },
    {
      name: "agents",
      summary: "list the coding agents Seam knows, and what extensions can do with each",
      load: async () => (await import("./commands/agents.ts")).addAgents,
    },
    {
      name: "view",
      summary: "open the page: every session of every agent, and what waits for you",
      load: async () => (await import("./commands/view.ts")).addView,
    },
    {
      name: "events",
      summary: "print what your agents do, while they do it",
      load: async () => (await import("./commands/events.ts")).addEvents,
    },
  ],
  "See and answer": [
    {
      name: "inbox",
      summary: "see what waits for you, and answer it",
      load: async () => (await import("./commands/inbox.ts")).addInbox,
    },
    {
      name: "attach",
      summary: "the live sessions of all agents on this terminal, and what waits for you",
      load: async () => (await import("./commands/attach.ts")).addAttach,
    },
    {
      name: "hold",
      summary: "let a session wait at its next tool call, and go on",
      load: async () => (await import("./commands/hold.ts")).addHold,
    },
    {
      name: "interrupt",
      summary: "end the turn of a session that works",
      load: async () => (await import("./commands/interrupt.ts")).addInterrupt,
    },
    {
      name: "say",
      summary: "say something to a session while it works",
      load: async () => (await import("./commands/say.ts")).addSay,
    },
    {
      name: "rules",
      summary: "see and remove answers that were given for good",
      load: async () => (await import("./commands/rules.ts")).addRules,
    },
  ],
  Extensions: [
    {
      name: "ext",
      summary: "add packages; create, check, test and list extensions",
      load: async () => (await import("./commands/ext.ts")).addExt,
    },
    {
      name: "trust",
      summary: "agree to this project's extensions and settings, after a look at them",
      load: async () => (await import("./commands/trust.ts")).addTrust,
    },
    {
      name: "config",
      summary: "show the settings in force, and where they come from",
      load: async () => (await import("./commands/config.ts")).addConfig,
    },
  ],
  "The record": [
    {
      name: "log",
      summary: "list turns and checkpoints, newest first",
      load: async () => (await import("./commands/log.ts")).addLog,
    },
    {
      name: "show",
      summary: "show the prompts, tool calls, skills, files and tokens behind a commit",
      load: async () => (await import("./commands/show.ts")).addShow,
    },
    {
      name: "search",
      summary: "find what was said and done in sessions of all agents",
      load: async () => (await import("./commands/search.ts")).addSearch,
    },
    {
      name: "stats",
      summary: "add up the tokens and cost of all agents",
      load: async () => (await import("./commands/stats.ts")).addStats,
    },
    {
      name: "rewind",
      summary: "bring the files back to what they were at a turn",
      load: async () => (await import("./commands/rewind.ts")).addRewind,
    },
    {
      name: "resume",
      summary: "give a recorded session back to its agent and continue it",
      load: async () => (await import("./commands/resume.ts")).addResume,
    },
    {
      name: "sync",
      summary: "exchange checkpoints with a remote; nothing else ever sends them",
      load: async () => (await import("./commands/sync.ts")).addSync,
    },
    {
      name: "import",
      summary: "bring in what another tool recorded",
      load: async () => (await import("./commands/import.ts")).addImport,
    },
    {
      name: "clean",
      summary: "remove what the record no longer needs; never a checkpoint",
      load: async () => (await import("./commands/clean.ts")).addClean,
    },
    {
      name: "forget",
      summary: "delete everything recorded of one session; this cannot be undone",
      load: async () => (await import("./commands/forget.ts")).addForget,
    },
  ],
  Crews: [
    {
      name: "crew",
      summary: "let several agents work on one goal; Seam checks and merges their work",
      load: async () => (await import("./commands/crew.ts")).addCrew,
    },
  ],
  "Seam's own agent": [
    {
      name: "run",
      summary: "run Seam's own agent on a prompt",
      load: async () => (await import("./commands/run-command.ts")).addRun,
    },
    {
      name: "pi",
      summary: "run Seam's own agent with Pi's command line, for programs that start pi",
      load: async () => (await import("./commands/pi.ts")).addPi,
    },
    {
      name: "acp",
      summary: "be the agent of an editor that speaks the Agent Client Protocol",
      load: async () => (await import("./commands/acp.ts")).addAcp,
    },
    {
      name: "sessions",
      summary: "list the sessions of Seam's own agent in this folder, newest first",
      load: async () => (await import("./commands/sessions.ts")).addSessions,
    },
    {
      name: "login",
      summary: "log in to a model provider that an extension adds",
      load: async () => (await import("./commands/login.ts")).addLogin,
    },
    {
      name: "logout",
      summary: "delete the stored login to a model provider",
      load: async () => (await import("./commands/logout.ts")).addLogout,
    },
  ],
  More: [
    {
      name: "mcp",
      summary: "serve the tools and commands of your extensions to an agent, over MCP",
      load: async () => (await import("./commands/mcp.ts")).addMcp,
    },
    {
      name: "daemon",
      summary: "start, stop and inspect the process that answers hooks",
      load: async () => (await import("./commands/daemon.ts")).addDaemon,
    },
    {
      name: "demo",
      summary: "watch an agent in a scratch repository: gated once, and recorded",
      load: async () => (await import("./commands/demo.ts")).addDemo,
    },
  ],
};

const COMMANDS: readonly CommandEntry[] = Object.values(COMMAND_GROUPS).flat();

/**
 * Adds the named command; for a name that is none, the names alone, so that one is suggested.
 * False: it is none.
 */
export async function addCommands(program: Command, named: string | undefined): Promise<boolean> {
  const entry = COMMANDS.find(({ name }) => name === named);
  if (entry === undefined) {
    for (const { name } of COMMANDS) program.command(name);
    return false;
  }
  (await entry.load())(program);
  program.commands.find((command) => command.name() === entry.name)?.description(entry.summary);
  return true;
}
