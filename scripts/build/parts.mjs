// What a build consists of: each file that is run or imported by its name, and its source in src/.

/** What people import from the package, by the name of its file. */
export const DOORS = {
  agentseam: "doors/agentseam",
  host: "doors/host",
  agents: "doors/agents",
  testing: "doors/testing",
};

/** The command, and every file that runs in a thread or process of its own. */
export const PROGRAMS = {
  "bin/seam": "cli/main",
  "bin/extension-thread": "daemon/worker/extension-thread",
  "bin/record-worker": "daemon/record-thread/record-worker",
  "bin/search-worker": "search/threads/search-worker",
  "bin/view-worker": "view/thread/view-worker",
  "bin/mcp-thread": "mcp/thread/mcp-thread",
  "bin/crew-thread": "crew/service/crew-thread",
  "bin/check-worker": "host/pi/check-worker",
  "bin/watchdog-thread": "host/watchdog/watchdog-thread",
};

/**
 * Programs that must be small, or start at once: each is one file with nothing in it that it does not
 * use. Agents start the pipe and wait for it; the starter is there because the daemon is large.
 */
export const LEAN_PROGRAMS = {
  "bin/mcp-pipe": "mcp/pipe/pipe-program",
  "bin/starter": "programs/starter-program",
};

/** What Node itself loads, as the modules they are. */
export const HOOKS = {
  "resolve-seam/register": "cli/resolve-seam/register",
  "resolve-seam/resolve": "cli/resolve-seam/resolve",
};

/** What only tests and benchmarks use, and is not shipped: each under the path of its source. */
export const ROOMS = Object.fromEntries(
  [
    "agents/index",
    "agents/claude-code/transcript",
    "agents/transcripts/scan",
    "daemon/index",
    "dispatch/index",
    "extensions/index",
    "git/index",
    "host/index",
    "host/test-kit/rpc-agent",
    "mcp/index",
    "record/checkpoint/stored-transcript",
    "record/checkpoint/write-checkpoint",
    "record/redact/index",
    "record/repo-record",
    "record/session/new-state",
    "record/session/state-store",
    "record/snapshot/take-snapshot",
    "search/index",
    "search/indexing/indexer",
    "tools/index",
  ].map((path) => [path, path]),
);

/** The hook client's own files, which are copied as they are. */
export const CLIENT = ["hook.sh", "ring.pl", "hook.cjs", "try-client.cjs", "native"];
