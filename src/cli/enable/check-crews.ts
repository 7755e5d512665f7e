import type { Finding } from "../../agents/index.ts";
import { type CheckUp, checkCrews, crewSettingsProblems } from "../../crew/index.ts";
import { daemonPaths } from "../../daemon/index.ts";
import { messageOf, SeamError } from "../../errors/index.ts";
import { leftText } from "../crew/left-text.ts";
import { plural } from "../record/format.ts";
import { shownPath } from "../shown-path.ts";

/** What there is to say about the crews of this user; undefined where there are none. */
export async function crewFindings(store: string): Promise<readonly Finding[] | undefined> {
  const unknown = crewSettingsProblems().map(({ code, message, next }): Finding => {
    return { level: "warning", code, text: message, next };
  });
  const found = await findingsOf(store);
  return found || unknown.length > 0 ? [...unknown, ...(found ?? [])] : undefined;
}

async function findingsOf(store: string): Promise<readonly Finding[] | undefined> {
  try {
    const crews = await checkCrews(daemonPaths(store));
    if (!crews) return undefined;
    const { waiting, orphans, lost, left } = crews;
    return [
      ...waiting.map(({ run, reason }) => ({
        level: "info" as const,
        code: "crew-waits",
        text: `The run ${run} waits: ${reason}`,
        next: `seam crew status ${run}, seam inbox`,
      })),
      ...(orphans.length === 0
        ? []
        : [
            {
              level: "warning" as const,
              code: "crew-orphans",
              text: `${plural(orphans.length, "process", "processes")} of attempts that are over still run: ${orphans.map(({ pid, attempt }) => `${pid} (${attempt})`).join(", ")}.`,
              next: `End them: kill ${orphans.map(({ pid }) => pid).join(" ")}`,
            },
          ]),
      ...lost.map((attempt) => ({
        level: "warning" as const,
        code: "crew-lost",
        text: `The agent of ${attempt} is gone, and the crew has not noticed.`,
        next: "Run: seam daemon stop, then seam crew list",
      })),
      ...left.flatMap(leftFindings),
    ];
  } catch (error) {
    const text = `Crews cannot be asked: ${messageOf(error)}`;
    const next = error instanceof SeamError ? error.next : "Look into the log: seam daemon logs.";
    return [{ level: "error", code: "crew-unreachable", text, next }];
  }
}

/** What runs that are over left in a repository: it does no harm, and takes room. */
function leftFindings({ repository, runs, strays, worktrees }: CheckUp["left"][number]): Finding[] {
  const at = shownPath(repository);
  const info = (code: string, text: string, next: string): Finding => {
    return { level: "info", code, text, next };
  };
  const branches = runs.flatMap((one) => one.branches);
  const named = runs.map(({ run }) => run).join(", ");
  return [
    ...(branches.length + worktrees === 0
      ? []
      : [
          info(
            "crew-left",
            `Crews that are over left ${leftText(branches.length, worktrees)} for ${at}${named === "" ? "" : ` (${named})`}.`,
            "Take what you want with seam crew land <run>, then: seam crew clean",
          ),
        ]),
    ...(strays.length === 0
      ? []
      : [
          info(
            "crew-strays",
            `${at} has ${plural(strays.length, "branch", "branches")} of runs that Seam does not know any more.`,
            `Look at them, then: git branch -D ${strays.join(" ")}`,
          ),
        ]),
  ];
}
