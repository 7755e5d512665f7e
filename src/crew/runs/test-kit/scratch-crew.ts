import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CrewEvent } from "../../../daemon/index.ts";
import { git } from "../../../git/index.ts";
import type { ScriptedTurn } from "../../../host/index.ts";
import { openCrewDatabase } from "../../database/open-crew-database.ts";
import type { CrewQuestion } from "../../model/crew-question.ts";
import type { RunEvent } from "../../model/run-event.ts";
import type { Role, TaskSpec, Workflow } from "../../model/workflow.ts";
import { Crew, type CrewOptions, type StartRequest } from "../crew.ts";

/** A repository and a home that one test has to itself, and a crew in them. */
export interface Scratch {
  readonly root: string;
  readonly home: string;
  readonly repository: string;
  /** What a run is started with, beside what it does. */
  readonly place: Pick<StartRequest, "repository" | "agents" | "budget">;
  /** A model that answers from a script. */
  script(name: string, turns: readonly ScriptedTurn[]): string;
  open(more?: OpenOptions): Promise<OpenCrew>;
}

export interface OpenOptions extends Partial<CrewOptions> {
  /** What an extension says no to. */
  readonly refuse?: (event: CrewEvent) => { reason: string } | undefined;
}

export interface OpenCrew {
  readonly crew: Crew;
  readonly events: RunEvent[];
  readonly asked: CrewQuestion[];
  /** Resolves when the run is over. */
  ended(run: string): Promise<string>;
}

export async function makeScratch(): Promise<Scratch> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "crew-")));
  const repository = join(root, "project");
  const home = join(root, "seam");
  mkdirSync(repository);
  mkdirSync(home);
  const run = (...args: string[]) => git(args, { cwd: repository, settings: [] });
  await run("init", "--quiet", "--initial-branch=main");
  for (const [key, value] of Object.entries({ name: "Test", email: "test@localhost" })) {
    await run("config", `user.${key}`, value);
  }
  writeFileSync(join(repository, "README.md"), "# A project\n");
  await run("add", "--all");
  await run("commit", "--quiet", "--message", "Start");
  return {
    root,
    home,
    repository,
    place: { repository, agents: [], budget: {} },
    script(name, turns) {
      const path = join(root, `${name}.json`);
      writeFileSync(path, JSON.stringify(turns));
      return `scripted:${path}`;
    },
    open: async (more) => openIn(home, more),
  };
}

async function openIn(home: string, { refuse, ...more }: OpenOptions = {}): Promise<OpenCrew> {
  const events: RunEvent[] = [];
  const asked: CrewQuestion[] = [];
  const crew = await Crew.open({
    database: await openCrewDatabase(join(home, "crew/crew.db")),
    home,
    worker: "here",
    pools: [],
    limits: { concurrency: { agents: {}, pools: {} }, day: {}, proofMs: 60_000 },
    outside: {
      log: (text) => {
        if (process.env.SEAM_TEST_LOG) process.stderr.write(`${text}\n`);
      },
      tell: (event) => {
        events.push(event);
        if (process.env.SEAM_TEST_LOG) process.stderr.write(`${event.kind}: ${event.text}\n`);
      },
      show: () => {},
      asked: (question) => void asked.push(question),
      settled: () => {},
      committed: async () => {},
      fire: async (_, event) => refuse?.(event),
    },
    ...more,
  });
  return {
    crew,
    events,
    asked,
    async ended(run) {
      for (;;) {
        const { state, endedAt } = (await crew.show(run)).run;
        if (endedAt !== undefined) return state;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

const WRITER: Role = {
  name: "writer",
  description: "Changes files.",
  access: "write",
  instructions: "",
  agents: [],
  allowCommands: [],
  mayPush: false,
};

/** A task that one scripted agent does. */
export function taskOf(id: string, model: string, more: Partial<TaskSpec> = {}): TaskSpec {
  return {
    id,
    title: id,
    role: "writer",
    prompt: `Do ${id}.`,
    agents: [{ agent: "seam", model }],
    dependsOn: [],
    reads: [],
    onFail: "stop",
    plans: false,
    verify: [],
    budget: {},
    approve: false,
    expects: "change",
    stallMinutes: 5,
    ...more,
  };
}

export function workflowOf(tasks: readonly TaskSpec[], more: Partial<Workflow> = {}): Workflow {
  return {
    name: "test",
    description: "",
    tasks,
    roles: { writer: WRITER, reader: { ...WRITER, name: "reader", access: "read" } },
    maxConcurrency: 4,
    budget: {},
    verify: [],
    approvePlan: false,
    approveMerge: false,
    ...more,
  };
}

/** A turn that writes one file, and one that says that it did. */
export function writes(path: string, content: string): ScriptedTurn[] {
  return [
    { toolCalls: [{ name: "write", arguments: { path, content } }] },
    { text: `Wrote ${path}.` },
  ];
}
