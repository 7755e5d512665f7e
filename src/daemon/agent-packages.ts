import * as agentsModule from "../agents/index.ts";
import { type Agent, agentNamed, registerAgent } from "../agents/index.ts";
import { inWords, SeamError } from "../errors/index.ts";
import { createJiti, findAgentPackages, knownPath, type Source } from "../extensions/index.ts";
import { LARGE_FILE, readRegularText } from "../files/index.ts";

/** Files that were loaded into this process, or that failed to load. */
const tried = new Set<string>();

/**
 * Registers the agents of packages that the settings name: the user's, and of the project what the
 * user trusted, from the copy of that. Each file is loaded once. Gives back what went wrong.
 */
export async function loadAgentPackages(cwd: string): Promise<SeamError[]> {
  const { sources, problems } = findAgentPackages(cwd);
  const failures: SeamError[] = [...problems];
  for (const source of sources.filter(({ path }) => !tried.has(path))) {
    tried.add(source.path);
    try {
      registerAgent(await agentFrom(source));
    } catch (error) {
      const detail = inWords(error);
      failures.push(new SeamError("SEAM_AGENT_LOAD", { path: knownPath(source), detail }));
    }
  }
  return failures;
}

/** The agent of this name, with the packages of a folder if need be. */
export async function agentFor(name: string, cwd: string): Promise<Agent | undefined> {
  if (!agentNamed(name)) await loadAgentPackages(cwd);
  return agentNamed(name);
}

async function agentFrom({ path }: Source): Promise<Agent> {
  const jiti = createJiti(path, {
    fsCache: false,
    moduleCache: false,
    virtualModules: { "agentseam/agents": agentsModule },
  });
  const text = readRegularText(path, LARGE_FILE);
  // As extensions are loaded: jiti.import() leaves plain files to Node, which does not know Seam.
  const exports: unknown = await jiti.evalModule(text, {
    filename: path,
    id: path,
    async: true,
    forceTranspile: true,
  });
  const { default: agent } = Object(exports) as { default?: unknown };
  if (!isAgent(agent)) throw new Error("its default export is not an agent");
  const missing = missingIn(agent.hooks);
  if (missing !== undefined) throw new Error(`its hooks have no ${missing}`);
  return agent;
}

const HOOK_FUNCTIONS = ["read", "nativeInput", "canAsk", "answer"] as const;
const INSTALLER_FUNCTIONS = ["files", "install", "uninstall", "health", "examine"] as const;

/** The first part that an agent's hooks must have and do not: everything else relies on it. */
function missingIn(hooks: unknown): string | undefined {
  if (hooks === undefined) return undefined;
  const { mapping, installer, ...rest } = Object(hooks) as Record<string, unknown>;
  if (typeof mapping !== "object" || mapping === null) return "mapping";
  const lacking = HOOK_FUNCTIONS.find((key) => typeof rest[key] !== "function");
  if (lacking !== undefined || installer === undefined) return lacking;
  const parts = Object(installer) as Record<string, unknown>;
  if (!Array.isArray(parts.levels)) return "installer.levels";
  const part = INSTALLER_FUNCTIONS.find((key) => typeof parts[key] !== "function");
  return part && `installer.${part}`;
}

const TEXTS = ["name", "type", "description"] as const;
const OBJECTS = ["program", "transcript", "sessions"] as const;

function isAgent(value: unknown): value is Agent {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Partial<Record<keyof Agent, unknown>>;
  return (
    TEXTS.every((key) => typeof fields[key] === "string") &&
    OBJECTS.every((key) => typeof fields[key] === "object" && fields[key] !== null) &&
    Array.isArray(fields.protectedDirs) &&
    typeof fields.detect === "function"
  );
}
