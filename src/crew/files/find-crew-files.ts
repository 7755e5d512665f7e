import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { messageOf, systemCode } from "../../errors/index.ts";
import { leadsOutside, readRegularText, SMALL_FILE } from "../../files/index.ts";
import { PROJECT_DIR, packageRoot } from "../../settings/index.ts";
import { type AgentFile, readAgentFile } from "./agent-file.ts";
import type { FileSource, Format, Origin } from "./origin.ts";
import type { WorkflowProblem } from "./problem.ts";
import { readTeamFile, type TeamFile } from "./team-file.ts";
import { readWorkflowFile, type WorkflowFile } from "./workflow-file.ts";

/** Everything that can be named in a crew, first those that win over others of the same name. */
export interface CrewFiles {
  readonly agents: readonly AgentFile[];
  readonly teams: readonly TeamFile[];
  readonly workflows: readonly WorkflowFile[];
  /** Files that could not be read at all. */
  readonly problems: readonly WorkflowProblem[];
}

export interface CrewPlaces {
  /** Seam's folder of the user. */
  readonly home: string;
  /** The top folder of the repository; without one, only what the user and Seam have. */
  readonly repository?: string;
  /** The user's home folder, where other agents keep their files. */
  readonly userHome?: string;
}

interface Place {
  readonly folder: string;
  readonly kind: "agents" | "teams" | "workflows";
  readonly origin: Origin;
  readonly format: Format;
  /** What is found has to be inside of it, links included. */
  readonly within?: string;
}

const KINDS = ["agents", "teams", "workflows"] as const;
const ENDS: Readonly<Record<Place["kind"], readonly string[]>> = {
  agents: [".md"],
  teams: [".team.md"],
  workflows: [".workflow.md"],
};

/**
 * Reads all there is. A mistake in one file is kept with that file and does not affect the others.
 */
export function findCrewFiles(places: CrewPlaces): CrewFiles {
  const problems: WorkflowProblem[] = [];
  const found = placesOf(places).map((place) => ({
    kind: place.kind,
    sources: sourcesAt(place, problems),
  }));
  const all = (kind: Place["kind"]) =>
    found.filter((one) => one.kind === kind).flatMap(({ sources }) => sources);
  return {
    agents: all("agents").map(readAgentFile),
    teams: all("teams").map(readTeamFile),
    workflows: all("workflows").map(readWorkflowFile),
    problems,
  };
}

/** What is the user's wins over a project's, and both over what ships. */
function placesOf({ home, repository, userHome = homedir() }: CrewPlaces): Place[] {
  const set = (root: string, origin: Origin, format: Format, within?: string): Place[] =>
    KINDS.map((kind) => ({
      folder: join(root, kind),
      kind,
      origin,
      format,
      ...(within !== undefined && { within }),
    }));
  const agents = (folder: string, origin: Origin, format: Format, within?: string): Place => ({
    folder,
    kind: "agents",
    origin,
    format,
    ...(within !== undefined && { within }),
  });
  const ofUser = [
    ...set(join(home, "crew"), "user", "seam"),
    ...set(join(userHome, ".pi/agent"), "user", "pi-crew"),
    agents(join(userHome, ".claude/agents"), "user", "claude-code"),
    agents(join(userHome, ".codex/agents"), "user", "codex"),
  ];
  const ofProject =
    repository === undefined
      ? []
      : [
          ...set(join(repository, PROJECT_DIR, "crew"), "project", "seam", repository),
          ...set(join(repository, ".crew"), "project", "pi-crew", repository),
          ...set(join(repository, ".pi/teams"), "project", "pi-crew", repository),
          agents(join(repository, ".claude/agents"), "project", "claude-code", repository),
          agents(join(repository, ".codex/agents"), "project", "codex", repository),
        ];
  return [...ofUser, ...ofProject, ...set(join(packageRoot(), "crew"), "shipped", "seam")];
}

function sourcesAt(place: Place, problems: WorkflowProblem[]): FileSource[] {
  const ends = place.format === "codex" ? [".toml"] : ENDS[place.kind];
  return filesIn(place.folder, problems)
    .filter((path) => ends.some((end) => path.endsWith(end)))
    .flatMap((path) => sourceAt(path, place, problems) ?? []);
}

const DEEPEST = 3;

/** All files below a folder, in the same order on every machine. */
function filesIn(folder: string, problems: WorkflowProblem[], depth = 0): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .flatMap((entry) => {
        const path = join(folder, entry.name);
        if (!entry.isDirectory()) return [path];
        return depth < DEEPEST ? filesIn(path, problems, depth + 1) : [];
      });
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    problems.push({
      severity: "warning",
      file: folder,
      text: `It cannot be read: ${messageOf(error)}`,
    });
    return [];
  }
}

function sourceAt(
  path: string,
  { origin, format, within }: Place,
  problems: WorkflowProblem[],
): FileSource | undefined {
  try {
    const outside = within === undefined ? undefined : leadsOutside(path, within);
    if (outside !== undefined) throw new Error(`it leads to ${outside}`);
    return { path, origin, format, text: readRegularText(path, SMALL_FILE) };
  } catch (error) {
    problems.push({
      severity: "warning",
      file: path,
      text: `It cannot be used: ${messageOf(error)}`,
    });
    return undefined;
  }
}
