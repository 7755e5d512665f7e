import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { readText, replaceFile } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";
import type { Run } from "../model/run.ts";
import { type CrewContext, crewFolder } from "./crew-context.ts";

export type Environment = Readonly<Record<string, string>>;

const fileOf = (home: string, run: string) =>
  join(crewFolder(home), "runs", run, "environment.json");

/**
 * Keeps the environment of whoever started a run, for its agents and checks: they get the same PATH
 * and keys whatever started the daemon, also after it was killed. It is for this user's eyes alone
 * and stays on this machine, also where the database is shared.
 */
export function keepEnvironment(home: string, run: string, environment: Environment): void {
  const file = fileOf(home, run);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, JSON.stringify(environment));
}

/** Nobody works at the run any more. */
export function dropEnvironment(home: string, run: string): void {
  rmSync(fileOf(home, run), { force: true });
}

/** What the processes of a run get beside the daemon's own environment. */
export function environmentOf({ home }: CrewContext, { id }: Pick<Run, "id">): Environment {
  const text = readText(fileOf(home, id));
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    const entries = isRecord(value) ? Object.entries(value) : [];
    return Object.fromEntries(
      entries.flatMap(([name, one]) => (typeof one === "string" ? [[name, one]] : [])),
    );
  } catch {
    return {};
  }
}
