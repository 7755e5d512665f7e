import { execFile } from "node:child_process";
import { firing, POWER_TEXT, type Power } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import { isCrewEvent, isEventName } from "../../events/index.ts";
import { builtFile } from "../../settings/index.ts";
import { isRecord } from "../../values/index.ts";
import type { AgentCard, Doctor, Loaded, LoadedExtension } from "../api-history.ts";

/** Agents are asked for their versions, extensions are loaded: that can take a while. */
const TIMEOUT_MS = 60_000;
const MOST_OUTPUT = 16 * 1024 * 1024;

/**
 * What `seam … --json` says in a folder. A process of its own: extensions are loaded in it, and
 * nothing that happens there concerns the daemon.
 */
async function askSeam(args: readonly string[], cwd: string): Promise<unknown> {
  const command = [builtFile("bin/seam.js"), ...args, "--json"];
  const options = { cwd, timeout: TIMEOUT_MS, maxBuffer: MOST_OUTPUT };
  const said = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) =>
      resolve({ stdout, stderr: stderr || (error?.message ?? "") }),
    );
  });
  try {
    return JSON.parse(said.stdout);
  } catch {
    const detail = said.stderr.trim().split("\n")[0] ?? "";
    throw new SeamError("SEAM_VIEW_READER", { detail: `seam ${args.join(" ")}: ${detail}` });
  }
}

/** What `seam doctor` finds in a project; it is the same program that says it. */
export async function doctor(project: string, fix: boolean): Promise<Doctor> {
  const said = await askSeam(["doctor", ...(fix ? ["--fix"] : [])], project);
  if (!isDoctor(said)) throw new SeamError("SEAM_VIEW_READER", { detail: "seam doctor" });
  return said;
}

function isDoctor(value: unknown): value is Doctor {
  return isRecord(value) && Array.isArray(value.sections) && Array.isArray(value.fixed);
}

/** The extensions and agents of a project. */
export async function loaded(project: string): Promise<Omit<Loaded, "projects" | "project">> {
  const [list, agents] = await Promise.all([
    askSeam(["ext", "list"], project),
    askSeam(["agents"], project),
  ]);
  const { extensions, untrusted, problems } = isRecord(list) ? list : {};
  const cards = records(agents).map(agentOf);
  const enabled = cards.filter((one) => one.enabled.length > 0);
  return {
    extensions: [
      ...records(extensions).map((one) => extensionOf(one, true, enabled)),
      ...records(untrusted).map((one) => extensionOf(one, false, enabled)),
    ],
    agents: cards,
    problems: records(problems).map(problemOf),
  };
}

type Json = Readonly<Record<string, unknown>>;
const records = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const text = (value: unknown) => (typeof value === "string" ? value : "");
const texts = (value: unknown) =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
const problemOf = ({ message, next }: Json) => ({ message: text(message), next: text(next) });

function extensionOf(one: Json, isTrusted: boolean, agents: readonly AgentCard[]): LoadedExtension {
  const { name, path, scope, ok, loadMs, error } = one;
  const events = texts(one.events);
  return {
    name: text(name),
    path: text(path),
    ...(typeof scope === "string" && { scope }),
    isTrusted,
    ok: ok === true,
    ...(typeof loadMs === "number" && { loadMs }),
    events,
    tools: texts(one.tools),
    commands: texts(one.commands),
    problems: [...records(one.problems), ...(isRecord(error) ? [error] : [])].map(problemOf),
    limits: agents.flatMap((agent) => limitsOn(agent, events)),
  };
}

/** What of it does not come to anything on an agent that calls Seam. */
function limitsOn({ name, type }: AgentCard, events: readonly string[]): LoadedExtension["limits"] {
  const ofAgents = events.filter(isEventName).filter((event) => !isCrewEvent(event));
  const how = ofAgents.map((event) => [event, firing(name, event)] as const);
  const deaf = how.filter(([, fires]) => fires === undefined).map(([event]) => event);
  const ignored = how.filter(([, fires]) => fires === "observe").map(([event]) => event);
  return [
    ...(deaf.length > 0 ? [{ agent: type, text: `never fires ${deaf.join(", ")}` }] : []),
    ...(ignored.length > 0
      ? [{ agent: type, text: `tells of ${ignored.join(", ")}, but takes no answer` }]
      : []),
  ];
}

function agentOf(one: Json): AgentCard {
  const { name, type, version, program, tested, enabled, hooks, can } = one;
  return {
    name: text(name),
    type: text(type),
    ...(typeof version === "string" && { version }),
    ...(typeof program === "string" && { program }),
    ...(Array.isArray(tested) && { tested: texts(tested) }),
    enabled: texts(enabled),
    hooks: texts(hooks),
    can: texts(can).map((power) => ({ power, text: isPower(power) ? POWER_TEXT[power] : power })),
  };
}

const isPower = (name: string): name is Power => Object.hasOwn(POWER_TEXT, name);
