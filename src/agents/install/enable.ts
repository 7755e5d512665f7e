import { join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { isBelow, leadsOutside, realTarget } from "../../files/index.ts";
import type { Agent, AgentFolders } from "../agent.ts";
import { adoptMoved } from "./adopt-moved.ts";
import { applySteps, type Step } from "./apply.ts";
import { readBytes } from "./config-file.ts";
import { type FileOps, fileOps } from "./file-ops.ts";
import { hookCommand, MARK } from "./hook-command.ts";
import { withInstallLock } from "./install-lock.ts";
import { hashOf, type InstallRecord, recordOf } from "./install-record.ts";
import type { FileChange, Installer, InstallPlan, Level, UninstallPlan } from "./installer.ts";
import { serverCommand } from "./server-file.ts";

/** An agent at one level: what is enabled and disabled. */
export interface Target {
  readonly agent: Agent;
  readonly level: Level;
  readonly shared?: boolean;
  /** With Seam's MCP server. It is always taken out together with the hooks. */
  readonly mcp?: boolean;
}

export interface Setting {
  readonly place: AgentFolders;
  /** Seam's folder: what was there before is remembered in it. */
  readonly store: string;
  readonly ops?: FileOps;
}

/** Puts Seam into the configuration of agents: into all of them or, if one fails, into none. */
export function enable(targets: readonly Target[], setting: Setting): readonly Step[] {
  return underLock(setting, () => targets.flatMap((target) => planEnable(target, setting)));
}

/** Takes Seam out; a file that is as Seam left it becomes what it was before, to the byte. */
export function disable(targets: readonly Target[], setting: Setting): readonly Step[] {
  return underLock(setting, () => targets.flatMap((target) => planDisable(target, setting)));
}

/** Planned and done under one lock: nobody else's change gets lost in between. */
function underLock(setting: Setting, plan: () => readonly Step[]): readonly Step[] {
  const { store, place, ops = fileOps() } = setting;
  return withInstallLock(store, () => {
    adoptMoved(store, place.project, ops);
    const steps = plan();
    applySteps(steps, store, ops);
    return steps;
  });
}

export function planFor(
  { agent, level, shared }: Target,
  { place, store }: Pick<Setting, "place" | "store">,
): InstallPlan {
  const command = (hook: string, isPrivate = level === "user") =>
    hookCommand(agent.name, hook, isPrivate ? store : undefined, {
      says: lostMessage(agent, hook),
      isGate: isGate(agent, hook),
    });
  const server = serverCommand(level === "user" ? join(store, "bin/agentseam-mcp") : undefined);
  const isShared = shared || isKnownAsShared(agent, level, { place, store });
  return { level, place, command, server, ...(isShared !== undefined && { shared: isShared }) };
}

const LOST =
  "The hooks of Seam are still installed, but its folder is gone: no gate holds, and nothing is recorded. Put it back: npm install -g agentseam && seam enable. Or take the hooks out: npx agentseam disable --all";

function isGate({ hooks }: Agent, hook: string): boolean {
  const row = hooks?.mapping[hook];
  return (row?.events.includes("tool_call") && row.powers.includes("block")) ?? false;
}

/** What the start of a session prints where all of Seam is gone; empty where the agent shows no message. */
function lostMessage({ hooks }: Agent, hook: string): string {
  const row = hooks?.mapping[hook];
  if (!row?.events.includes("session_start") || !row.powers.includes("message")) return "";
  const { exitCode, stdout } = hooks?.answer(hook, { message: LOST }, {}) ?? {};
  return exitCode === 0 ? (stdout ?? "") : "";
}

/** Whether the only file an agent has for a project was written for everybody. */
function isKnownAsShared(
  { hooks }: Agent,
  level: Level,
  { place, store }: Pick<Setting, "place" | "store">,
): true | undefined {
  const [file, ...others] = hooks?.installer?.files({ level, place }) ?? [];
  if (level === "user" || file === undefined || others.length > 0) return undefined;
  return recordOf(store, realTarget(file))?.shared ? true : undefined;
}

/** The changes to files that would put Seam's hooks in place. Nothing is written. */
export function planEnable(target: Target, setting: Setting): Step[] {
  const { agent, level, shared, mcp } = target;
  const { place, store } = setting;
  const installer = agent.hooks?.installer;
  if (!installer) return [];
  const plan = planFor(target, setting);
  const server = mcp ? agent.mcp : undefined;
  const served = server?.files(plan) ?? [];
  for (const name of [...installer.files(plan), ...served]) refuseOutside(name, target, place);
  const changes = withServer(installer.install(plan), server, plan);
  const steps = changes.map((change): Step => {
    const { path: name, before, after } = change;
    const path = realTarget(name);
    const known = recordOf(store, path);
    const isShared = shared || known?.shared;
    const isServed = served.includes(name) || known?.mcp;
    const record: InstallRecord = {
      path,
      name,
      agent: agent.name,
      level,
      root: level === "project" ? place.project : place.home,
      ...(isShared && { shared: true }),
      ...(isServed && { mcp: true }),
      original: originalOf(agent, plan, name, before, known),
      results: after ? [hashOf(after)] : [],
      folders: known?.folders ?? [],
    };
    return { name, path, before, after, record };
  });
  if (!shared) return steps;
  // The hooks move from the user's own file to the shared one, so that they are not there twice.
  const [wanted = "", ...own] = [...installer.files(plan)].reverse();
  const leaving = planDisable(target, setting).filter(({ name }) => own.includes(name));
  return [...steps, ...(changes.length === 0 ? nowShared(wanted, store) : []), ...leaving];
}

/** With what has to change for the MCP server, also where the hooks change the same file. */
function withServer(
  changes: readonly FileChange[],
  server: Installer | undefined,
  plan: InstallPlan,
): FileChange[] {
  const now = new Map(changes.map(({ path, after }) => [path, after]));
  const added = server?.install({ ...plan, now }) ?? [];
  const isAlone = ({ path }: FileChange) => !added.some((one) => one.path === path);
  const firstOf = (path: string) => changes.find((one) => one.path === path);
  return [
    ...changes.filter(isAlone),
    ...added.map((one) => ({ ...one, before: (firstOf(one.path) ?? one).before })),
  ];
}

/** A file without what is Seam's, hooks and server; undefined if nothing of it is there. */
function withoutSeam(
  { hooks, mcp }: Agent,
  plan: UninstallPlan & { readonly only: string },
): Pick<FileChange, "after"> | undefined {
  const has = (installer: Installer) => installer.files(plan).includes(plan.only);
  const installer = hooks?.installer;
  const [first] = installer && has(installer) ? installer.uninstall(plan) : [];
  if (!mcp || !has(mcp) || (first && first.after === undefined)) return first;
  const now = first ? { now: new Map([[plan.only, first.after]]) } : {};
  const [second] = mcp.uninstall({ ...plan, ...now });
  return second ?? first;
}

/** The file stays as it is, and from now on is meant for everybody. */
function nowShared(name: string, store: string): Step[] {
  const path = realTarget(name);
  const known = recordOf(store, path);
  if (!known || known.shared) return [];
  const before = readBytes(name);
  return [{ name, path, before, after: before, record: { ...known, shared: true } }];
}

/** A project's links were made by whoever wrote it; those in the user's home are the user's own. */
function refuseOutside(name: string, { level }: Target, { project }: AgentFolders): void {
  const target = level === "project" ? leadsAway(name, project) : undefined;
  if (target !== undefined) throw new SeamError("SEAM_LINK_OUTSIDE", { path: name, target });
}

/** What Seam keeps in its own folder for a project is not the project's: no link of it leads there. */
function leadsAway(name: string, project: string): string | undefined {
  return isBelow(name, project) ? leadsOutside(name, project) : undefined;
}

/** What a file is to become again: what it was, or what it is now without what is Seam's. */
function originalOf(
  agent: Agent,
  plan: InstallPlan,
  name: string,
  before: Buffer | undefined,
  known: InstallRecord | undefined,
): Buffer | undefined {
  if (before === undefined) return undefined;
  if (known?.results.includes(hashOf(before))) return known.original;
  const originals = known ? new Map([[name, known.original]]) : undefined;
  const change = withoutSeam(agent, { ...plan, only: name, ...(originals && { originals }) });
  return change ? change.after : before;
}

/** The changes to files that would take Seam's hooks out. Nothing is written. */
export function planDisable({ agent, level }: Target, { place, store }: Setting): Step[] {
  const installers = [agent.hooks?.installer, agent.mcp].flatMap((one) => one ?? []);
  const files = new Set(installers.flatMap((installer) => installer.files({ level, place })));
  return [...files].flatMap((name): Step[] => {
    const path = realTarget(name);
    const known = recordOf(store, path);
    // Not put there by Seam, and none of its business.
    if (level === "project" && !known && leadsAway(name, place.project)) return [];
    const before = readBytes(name);
    const step = { name, path, before, record: undefined };
    if (before && known?.results.includes(hashOf(before))) {
      return [{ ...step, after: known.original }];
    }
    // Where somebody took it out already, there is nothing to write, only to forget.
    const gone = known ? [{ ...step, after: before }] : [];
    // Nothing of Seam's is in it, so it need not even be readable.
    if (!before?.includes(MARK)) return gone;
    const originals = known ? new Map([[name, known.original]]) : undefined;
    const plan = { level, place, only: name, ...(originals && { originals }) };
    const change = withoutSeam(agent, plan);
    if (change) return [{ ...step, after: change.after }];
    return gone;
  });
}
