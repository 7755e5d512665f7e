import { messageOf } from "../../errors/index.ts";
import { realTarget } from "../../files/index.ts";
import type { Agent, AgentFolders } from "../agent.ts";
import { installedVersion, wasTested } from "../program.ts";
import { readBytes } from "./config-file.ts";
import { planFor, type Setting, type Target } from "./enable.ts";
import { MARK } from "./hook-command.ts";
import { recordOf } from "./install-record.ts";
import type { Finding, Health, InstallPlan, Level } from "./installer.ts";

/** How an agent stands at one level. */
export interface Standing {
  readonly agent: Agent;
  readonly level: Level;
  readonly health: Health;
  /** Files that Seam has put something into, whether or not it is still there. */
  readonly recorded: readonly string[];
  /** Files that hold something of Seam's now. */
  readonly used: readonly string[];
  readonly files: readonly string[];
  /** How it stands with Seam's MCP server there. Wanted: Seam has put it there. */
  readonly mcp: {
    readonly health: Health;
    readonly isWanted: boolean;
    readonly files: readonly string[];
  };
}

/** Where Seam can be enabled: for one project, or for all of a user. */
export const LEVELS: readonly Level[] = ["project", "user"];

/** How an agent stands at one level: whether its hooks are in place, and in which files. */
export function standingOf(agent: Agent, level: Level, setting: Setting): Standing {
  const { place, store } = setting;
  const installer = agent.hooks?.installer;
  const files = installer?.files({ level, place }) ?? [];
  return {
    agent,
    level,
    health: installer?.health(planFor({ agent, level }, setting)) ?? "none",
    files,
    used: files.filter(holdsMark),
    recorded: files.filter((name) => recordOf(store, realTarget(name))),
    mcp: serverStanding(agent, level, setting),
  };
}

function serverStanding(agent: Agent, level: Level, setting: Setting): Standing["mcp"] {
  const plan = planFor({ agent, level }, setting);
  const files = agent.mcp?.files(plan) ?? [];
  const isWanted = files.some((name) => recordOf(setting.store, realTarget(name))?.mcp);
  return { health: agent.mcp?.health(plan) ?? "none", isWanted, files };
}

function holdsMark(path: string): boolean {
  try {
    return readBytes(path)?.includes(MARK) ?? false;
  } catch {
    return false;
  }
}

/** Whether hooks of Seam are in place, be they old ones. */
export function isEnabled({ health }: Pick<Standing, "health">): boolean {
  return health === "installed" || health === "outdated";
}

/** Whether Seam is in place, was in place, or should have been. */
export function isConcerned(standing: Standing): boolean {
  return isEnabled(standing) || standing.recorded.length > 0 || standing.used.length > 0;
}

/** All that is wrong with the hooks of an agent at one level; nothing if they never were there. */
export async function checkUp(standing: Standing, setting: Setting): Promise<Finding[]> {
  const { agent, level, health, recorded, used } = standing;
  const installer = agent.hooks?.installer;
  const plan = planFor({ agent, level }, setting);
  if (!installer || !isConcerned(standing)) return [];
  const findings: Finding[] = [];
  if (health === "none") {
    findings.push({
      level: "error",
      code: "hooks-missing",
      text: `Seam's hooks are gone from ${(recorded.length > 0 ? recorded : used).join(", ")}: another program wrote over them.`,
      next: "Run: seam doctor --fix",
      fix: installer.install(plan),
    });
  }
  if (health === "outdated") {
    findings.push({
      level: "warning",
      code: "hooks-outdated",
      text: `Seam's hooks for ${agent.type} at ${level} level were changed, or are of another version: they may not run.`,
      next: "Run: seam doctor --fix",
      fix: installer.install(plan),
    });
  }
  return [...findings, ...(await installer.examine(plan)), ...(await checkServer(standing, plan))];
}

/** What is wrong with Seam's MCP server in the agent's settings; nothing if nobody wanted it there. */
async function checkServer({ agent, level, mcp }: Standing, plan: InstallPlan): Promise<Finding[]> {
  const { health, isWanted, files } = mcp;
  if (!agent.mcp || !isWanted) return [];
  if (health === "installed") return [...(await agent.mcp.examine(plan))];
  const where = files.join(", ");
  if (health === "damaged") {
    const text = `Whether Seam's MCP server is in ${where} cannot be told: the file cannot be read.`;
    return [{ level: "warning", code: "mcp-unreadable", text, next: "Correct the file." }];
  }
  const text =
    health === "none"
      ? `Seam's MCP server is gone from ${where}: another program wrote over it.`
      : `Seam's MCP server for ${agent.type} at ${level} level is not that of this version.`;
  const code = health === "none" ? "mcp-missing" : "mcp-outdated";
  try {
    const fix = agent.mcp.install(plan);
    return [{ level: "warning", code, text, next: "Run: seam doctor --fix", fix }];
  } catch (thrown) {
    return [{ level: "warning", code, text: `${text} ${messageOf(thrown)}` }];
  }
}

/** Where the user, or somebody else, told an agent to run none of the hooks in place. */
export async function switchedOff({ agent, level }: Target, setting: Setting): Promise<Finding[]> {
  const found = await agent.hooks?.installer?.examine(planFor({ agent, level }, setting));
  return (found ?? []).filter(({ code }) => code === "hooks-off");
}

/** Whether the user level would run where the project level does not, for want of the user's trust. */
export async function runsOnlyForUser(agent: Agent, setting: Setting): Promise<boolean> {
  const stopped = async (level: Level) => {
    const found = await agent.hooks?.installer?.examine(planFor({ agent, level }, setting));
    return found?.some(({ stops }) => stops?.all) ?? false;
  };
  return (await stopped("project")) && !(await stopped("user"));
}

/** Both levels at once: then most agents tell everything twice. */
export function checkTwice(agent: Agent, setting: Setting): Finding[] {
  if (!LEVELS.every((level) => isEnabled(standingOf(agent, level, setting)))) return [];
  return [
    {
      level: "warning",
      code: "enabled-twice",
      text: `${agent.type} is enabled for this project and for all of them: Seam may hear everything twice.`,
      next: `Run: seam disable --agent ${agent.name} --level project`,
    },
  ];
}

/** This may run the agent's program to ask it. */
export async function checkVersion(
  { program, type }: Agent,
  place: AgentFolders,
): Promise<Finding[]> {
  const version = await installedVersion(program, place);
  if (!version || wasTested(program, version)) return [];
  const { tested } = program;
  const range = tested && (tested[0] === tested[1] ? tested[0] : `${tested[0]} to ${tested[1]}`);
  return [
    {
      level: range ? "warning" : "info",
      code: "version-untested",
      text: range
        ? `${type} ${version} is installed; Seam was tested with ${range}.`
        : `Seam was not tested with the program of ${type}, only with what it is known to send.`,
    },
  ];
}
