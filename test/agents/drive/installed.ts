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
  if (path === undefined) return undefined;
  if (agent.through) return [process.execPath, agent.through, path];
  return /\.[cm]?js$/.test(path) ? [process.execPath, path] : [path];
}

/** Why an agent cannot be run here; undefined if it can. */
export function whyNotRun(agent: Agent): string | undefined {
  if (programOf(agent)) return undefined;
  const platform = `${process.platform}-${process.arch}`;
  return versionOf(agent) === undefined
    ? `${agent.package} could not be installed on ${platform}`
    : `${agent.package} came without its program for ${platform}`;
}

export function versionOf(agent: Agent): string | undefined {
  const file = `${MODULES}${agent.package}/package.json`;
  if (!existsSync(file)) return undefined;
  return text(record(parse(readFileSync(file, "utf8"))).version);
}

/** OpenCode's skill tool looks for files with ripgrep and would download it. */
export function ripgrepFolder(): string {
  return `${MODULES}@vscode/ripgrep-${process.platform}-${process.arch}/bin`;
}
