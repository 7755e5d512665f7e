import type { Role } from "../model/workflow.ts";
import type { AgentFile } from "./agent-file.ts";
import type { CrewFiles } from "./find-crew-files.ts";
import type { WorkflowProblems } from "./problem.ts";
import type { TeamFile, TeamRole } from "./team-file.ts";

/** The roles that tasks of one workflow can have: those of its team first, then all agent files. */
export class RoleBook {
  readonly #files = new Map<string, AgentFile>();
  readonly #team: ReadonlyMap<string, TeamRole>;
  readonly #teamProblems: WorkflowProblems | undefined;
  readonly #used = new Map<string, AgentFile>();

  constructor({ agents }: CrewFiles, team: TeamFile | undefined, teamProblems?: WorkflowProblems) {
    for (const file of agents) {
      if (!file.isDisabled && !this.#files.has(file.role.name)) {
        this.#files.set(file.role.name, file);
      }
    }
    this.#team = new Map(team?.roles.map((role) => [role.name, role]));
    this.#teamProblems = teamProblems;
  }

  /** The names a task can use. */
  get names(): string[] {
    return [...new Set([...this.#team.keys(), ...this.#files.keys()])];
  }

  /** The agent files behind the roles that were asked for. */
  get used(): readonly AgentFile[] {
    return [...new Set(this.#used.values())];
  }

  find(name: string): Role | undefined {
    const inTeam = this.#team.get(name);
    const file = this.#files.get(inTeam?.agentFile ?? name);
    if (file === undefined) {
      if (inTeam) {
        const text = `The role "${name}" is the agent "${inTeam.agentFile}", which is not there.`;
        this.#teamProblems?.error(inTeam.line, text, inTeam.agentFile, this.#files.keys());
      }
      return undefined;
    }
    this.#used.set(name, file);
    return inTeam ? inTheTeam(file, inTeam) : file.role;
  }

  /** The roles a planner can choose from: the team's, or all there are. */
  choices(): Role[] {
    const names = this.#team.size > 0 ? [...this.#team.keys()] : [...this.#files.keys()];
    return names.flatMap((name) => this.find(name) ?? []);
  }
}

function inTheTeam({ role, source }: AgentFile, { name, description, model }: TeamRole): Role {
  const agent = role.agents[0]?.agent ?? (source.format === "codex" ? "codex" : undefined);
  return {
    ...role,
    name,
    ...(description !== undefined && { description }),
    // A team's model is one of the role's own agent; pi-crew's agents are Pi's.
    ...(model !== undefined && { agents: [{ agent: agent ?? "pi", model }] }),
  };
}
