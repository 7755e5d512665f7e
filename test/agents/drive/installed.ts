import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse, record, text } from "../model-server/json.ts";
import type { Agent } from "./agent.ts";

const MODULES = fileURLToPath(new URL("../node_modules/", import.meta.url));

/** install.mjs has Copilot CLI unpack itself there. */
export const COPILOT_CACHE = `${MODULES}.copilot`;

/** How to call the installed agent; undefined if it is not there. */
export function programOf(agent: Agent): readonly [string, ...string[]] | undefined {
  const path = agent.programs.map((each) => `${MODULES}${each}`).find((each) => existsSync(each));
  const node = nodeFor(agent);
  if (path === undefined || node === undefined) return undefined;
  if (agent.through) return [node, agent.through, path];
  return /\.[cm]?js$/.test(path) ? [node, path] : [path];
}

/** This Node, or the one that an npm package has for agents that need a newer one. */
function nodeFor({ node = 0 }: Agent): string | undefined {
  if (Number.parseInt(process.versions.node, 10) >= node) return process.execPath;
  const packaged = `${MODULES}node-${process.platform}-${process.arch}/bin/node`;
  return existsSync(packaged) ? packaged : undefined;
}

/** Why an agent cannot be run here; undefined if it can. */
export function whyNotRun(agent: Agent): string | undefined {
  if (programOf(agent)) return undefined;
  const platform = `${process.platform}-${process.arch}`;
  if (!nodeFor(agent)) return `${agent.package} needs Node ${agent.node}`;
  return versionOf(agent) === undefined
    ? `${agent.package} could not be installed on ${platform}`
    : `${agent.package} came without its program for ${platform}`;
}

export function versionOf(agent: Agent): string | undefined {
  const file = `${MODULES}${agent.package}/package.json`;
  if (!existsSync(file)) return undefined;
  return text(record(parse(readFileSync(file, "utf8"))).version);
}

/** For the names of tests: "pi 0.87.1". */
export function labelOf(agent: Agent): string {
  return `${agent.name} ${versionOf(agent) ?? "(not installed)"}`;
}

/** OpenCode's skill tool looks for files with ripgrep and would download it. */
export function ripgrepFolder(): string {
  return `${MODULES}@vscode/ripgrep-${process.platform}-${process.arch}/bin`;
}
