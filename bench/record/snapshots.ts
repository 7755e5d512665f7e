import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";
import { BenchProject, fill, pathOf } from "./project.ts";
import type { Built } from "./seam.ts";

const FILES = 50_000;
const CHANGED = [3, 10_007, 20_011, 30_013, 40_009];

/** What snapshots of a large work tree cost, beside `git status`. */
export async function* snapshotCases(
  { openRepo, openRepoRecord, takeSnapshot, rawPath }: Built,
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("snapshots of 50,000 files");
  const project = new BenchProject(folder, "large");
  // As most large projects have them: git then has to say how each file is stored.
  project.write(".gitattributes", "*.png binary\n*.svg text eol=lf\n");
  fill(project, FILES);
  const repo = await openRepo(project.root);
  if (!repo) throw new Error("no repository");
  const record = openRepoRecord(repo);
  const about = { session_id: "bench", agent: "claude-code", turn_id: "0123456789ab" };
  let moments = 0;
  const snapshot = async (paths?: readonly string[]) => {
    for (const file of CHANGED) project.write(pathOf(file), `export const n = ${++moments};\n`);
    const at = new Date(moments * 1_000).toISOString();
    const startedAt = performance.now();
    const { record: taken } = await takeSnapshot(record, {
      ...about,
      moment: "end",
      at,
      ...(paths && { paths: paths.map((path) => rawPath(path)) }),
    });
    if (taken.by !== (paths ? "paths" : "scan")) throw new Error(`it was taken by ${taken.by}`);
    return performance.now() - startedAt;
  };
  try {
    // A first one to build upon.
    await snapshot();
    project.git("status");
    const series = await interleave(
      {
        "paths known": () => snapshot(CHANGED.map(pathOf)),
        "full scan": () => snapshot(),
        "git status": () => project.time("git", "status", "--porcelain"),
      },
      { rounds: 15, warmUps: 2 },
    );
    yield atMost({
      name: "snapshot of 50,000 files with 5 changed, paths known",
      value: pairedRatio(series["paths known"], series["git status"]),
      bar: 0.4,
      unit: "of git status",
      detail: medians(series, "ms"),
    });
    yield atMost({
      name: "the same with a full scan",
      value: pairedRatio(series["full scan"], series["git status"]),
      bar: 2,
      unit: "times git status",
      detail: [],
    });
  } finally {
    await record.store.close();
  }
}
