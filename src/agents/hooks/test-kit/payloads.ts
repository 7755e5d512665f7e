import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../../values/index.ts";
import { hooks as claudeCode } from "../../claude-code/hooks.ts";
import { hooks as codex } from "../../codex/hooks.ts";
import { hooks as copilotCli } from "../../copilot-cli/hooks.ts";
import { hooks as cursor } from "../../cursor/hooks.ts";
import { hooks as droid } from "../../factoryai-droid/hooks.ts";
import { hooks as gemini } from "../../gemini/hooks.ts";
import { hooks as opencode } from "../../opencode/hooks.ts";
import { hooks as pi } from "../../pi/hooks.ts";
import { type Json, recordOf } from "../fields.ts";
import type { HookSupport } from "../hook-support.ts";

export type Hooks = Omit<HookSupport, "installer">;

export const HOOKS = {
  "claude-code": claudeCode,
  codex,
  "copilot-cli": copilotCli,
  cursor,
  "factoryai-droid": droid,
  gemini,
  opencode,
  pi,
} as const satisfies Record<string, Hooks>;

export type Hooked = keyof typeof HOOKS;

export const HOOKED = Object.keys(HOOKS) as Hooked[];

const FOLDER = join(import.meta.dirname, "payloads");

export interface Recorded {
  /** Name of the file without ".json". */
  readonly name: string;
  readonly hook: string;
  readonly payload: Json;
}

/** Every payload of an agent that was written down. */
export function recorded(agent: Hooked): Recorded[] {
  return readdirSync(join(FOLDER, agent)).map((file) => {
    const name = file.replace(/\.json$/, "");
    const payload = payloadOf(agent, name);
    return { name, hook: hookOf(agent, name, payload), payload };
  });
}

export function payloadOf(agent: Hooked, name: string): Json {
  const value: unknown = JSON.parse(readFileSync(join(FOLDER, agent, `${name}.json`), "utf8"));
  if (!isRecord(value)) throw new Error(`${name} is no object`);
  return value;
}

/** The hook's name as the agent's configuration has it. */
function hookOf(agent: Hooked, name: string, payload: Json): string {
  if (agent === "copilot-cli") return name.replace(/^pascal\./, "").split(".")[0] ?? name;
  if (agent === "pi") return String(recordOf(payload.event).type);
  if (agent !== "opencode") return String(payload.hook_event_name);
  if (name.startsWith("event.")) return `event.${recordOf(payload.input).type}`;
  return Object.keys(HOOKS.opencode.mapping).find((hook) => name.startsWith(hook)) ?? name;
}

/** What an agent's payload is read to. */
export function readingOf(agent: Hooked, name: string) {
  const payload = payloadOf(agent, name);
  return HOOKS[agent].read(hookOf(agent, name, payload), payload);
}

/** What an agent is told, as JSON. */
export function said(agent: Hooked, ...asked: Parameters<Hooks["answer"]>): unknown {
  const { stdout, exitCode, stderr } = HOOKS[agent].answer(...asked);
  if (exitCode !== 0 || stderr) return { exitCode, stderr };
  return stdout === "" ? undefined : JSON.parse(stdout);
}
