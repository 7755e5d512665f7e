import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { getNodeValue } from "jsonc-parser";
import { parse } from "smol-toml";
import { inWords } from "../../errors/index.ts";
import { readRegularText, SMALL_FILE } from "../../files/index.ts";
import { type ConfigFile, readBytes } from "../install/config-file.ts";
import { realName, withParents } from "../install/folders.ts";
import { isOurs } from "../install/hook-command.ts";
import type { Finding, InstallPlan } from "../install/installer.ts";
import { dig } from "../install/json-value.ts";

/** How a handler stands in hooks.json. */
interface Handler {
  readonly type?: string;
  readonly command?: string;
  readonly timeout?: number;
  readonly statusMessage?: string;
  readonly async?: boolean;
}

const DEFAULT_SECONDS = 600;
const LONGEST: Readonly<Record<string, number>> = { SessionEnd: 3, Interrupt: 3 };

/**
 * What keeps Codex from running Seam's hooks: the user has to agree to a project and to each hook.
 * Seam only looks: agreeing is the user's.
 */
export function examineTrust(
  { level, place }: InstallPlan,
  files: readonly ConfigFile[],
  configFile: string,
): Finding[] {
  let config: unknown;
  try {
    config = parse(readBytes(configFile)?.toString() ?? "");
  } catch (thrown) {
    const text = `${configFile} cannot be read, so it is not known which hooks Codex trusts: ${inWords(thrown)}`;
    return [{ level: "warning", code: "config-invalid", text, next: "Correct the file." }];
  }
  const findings: Finding[] = [];
  if (level === "project" && !trustsProject(config, place.project)) {
    findings.push({
      level: "warning",
      code: "folder-untrusted",
      text: `Codex does not read ${place.project}/.codex: it does not trust this project yet.`,
      next: `Run codex in ${place.project} and choose to trust it.`,
      stops: { all: true, why: "Codex does not trust this project" },
    });
  }
  findings.push(...switchedOff(config, configFile, place.project));
  const waiting = files.flatMap((file) => untrustedHooks(file, config));
  if (waiting.length > 0) {
    findings.push({
      level: "warning",
      code: "hooks-untrusted",
      text: `Codex leaves out ${waiting.length} of Seam's hooks without a word: you have not agreed to them yet.`,
      next: 'Run codex; at "Hooks need review" look at them and choose to trust them.',
      stops: { all: true, why: "you have not agreed to them in Codex" },
    });
  }
  return findings;
}

/** It reads the configuration of a project that it trusts, also for hooks at user level. */
function switchedOff(config: unknown, configFile: string, project: string): Finding[] {
  const its = join(project, ".codex", "config.toml");
  const isRead = its !== configFile && trustsProject(config, project);
  const files = new Map([[configFile, config], ...(isRead ? [[its, tomlAt(its)] as const] : [])]);
  return [...files].flatMap(([path, value]): Finding[] => {
    const key = SWITCHES.find((name) => dig(value, "features", name) === false);
    if (key === undefined) return [];
    return [
      {
        level: "error",
        code: "hooks-off",
        text: `Codex runs no hooks at all: "features.${key}" in ${path} says so.`,
        next: "Remove that line.",
        stops: { all: true, why: "they are switched off" },
      },
    ];
  });
}

/** The later one is what it was called before. */
const SWITCHES = ["hooks", "codex_hooks"] as const;

/** What Codex cannot read, it does not start with. */
function tomlAt(path: string): unknown {
  try {
    return parse(readBytes(path)?.toString() ?? "");
  } catch {
    return undefined;
  }
}

/** Events of Seam's hooks that Codex would not run. */
export function untrustedHooks({ path, json }: ConfigFile, config: unknown): string[] {
  const events = json.root ? dig(getNodeValue(json.root), "hooks") : undefined;
  const paths = [...new Set([path, realName(path)])];
  return Object.entries(events ?? {}).flatMap(([event, groups]) =>
    handlersIn(groups).flatMap(({ handler, matcher, at }) => {
      if (!isOurs(handler.command)) return [];
      const states = paths.map((file) =>
        dig(config, "hooks", "state", `${file}:${snake(event)}:${at}`),
      );
      const agreed = states.some(
        (state) => dig(state, "trusted_hash") === hookHash(event, handler, matcher),
      );
      const off = states.some((state) => dig(state, "enabled") === false);
      return agreed && !off ? [] : [event];
    }),
  );
}

function handlersIn(groups: unknown): { handler: Handler; matcher?: string; at: string }[] {
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown, i) => {
    const list = dig(group, "hooks");
    const matcher = dig(group, "matcher");
    return (Array.isArray(list) ? list : []).map((handler: unknown, j) => ({
      handler: (handler ?? {}) as Handler,
      ...(typeof matcher === "string" && { matcher }),
      at: `${i}:${j}`,
    }));
  });
}

/** What Codex writes down when the user trusts a hook. */
export function hookHash(event: string, handler: Handler, matcher?: string): string {
  const { command, statusMessage, timeout = DEFAULT_SECONDS, type = "command" } = handler;
  const described = {
    event_name: snake(event),
    hooks: [
      {
        async: handler.async ?? false,
        command,
        ...(statusMessage !== undefined && { statusMessage }),
        timeout: Math.min(timeout, LONGEST[event] ?? timeout),
        type,
      },
    ],
    ...(matcher !== undefined && { matcher }),
  };
  return `sha256:${createHash("sha256").update(JSON.stringify(described)).digest("hex")}`;
}

const snake = (event: string) => event.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();

function trustsProject(config: unknown, project: string): boolean {
  const roots = [...withParents(project), ...withParents(mainWorktree(project))];
  return roots.some((root) => dig(config, "projects", root, "trust_level") === "trusted");
}

/** The repository a worktree belongs to: trusting it counts for all its worktrees. */
function mainWorktree(project: string): string {
  try {
    const [, gitDir] =
      /^gitdir: (.*)\/worktrees\/[^/]+\s*$/.exec(
        readRegularText(join(project, ".git"), SMALL_FILE),
      ) ?? [];
    return gitDir ? dirname(gitDir) : project;
  } catch {
    return project;
  }
}
