import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentName, Place } from "../drive/agent.ts";
import { type Json, parse, record } from "../model-server/json.ts";
import { PROBES } from "./probes.ts";

const SCRIPT = fileURLToPath(new URL("probe.sh", import.meta.url));

export interface Payload {
  /** The agent's own name for the event. */
  readonly event: string;
  readonly payload: Json;
}

export interface InstalledProbe {
  /** What came so far, in the order in which it came. */
  payloads(): Payload[];
  /** Payloads of one event. */
  of(event: string): Json[];
}

/** Writes hooks into the project by hand, as a user would, that only keep what the agent sends. */
export function installProbe(agent: AgentName, { root, cwd }: Place): InstalledProbe {
  const folder = join(root, "payloads");
  mkdirSync(folder, { recursive: true });
  const { file, content } = PROBES[agent];
  const path = join(cwd, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    content({ folder, command: (event) => `sh '${SCRIPT}' '${folder}' ${event}` }),
  );
  const payloads = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => ({
        event: name.replace(/^\d+-\d+-|\.json$/g, ""),
        payload: record(parse(readFileSync(join(folder, name), "utf8"))),
      }));
  return {
    payloads,
    of: (event) =>
      payloads()
        .filter((each) => each.event === event)
        .map(({ payload }) => payload),
  };
}
