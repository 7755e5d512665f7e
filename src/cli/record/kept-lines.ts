import type { KeptAtHome } from "../../daemon/index.ts";
import type { KeptInRepo } from "../../record/index.ts";
import { paint } from "../print.ts";
import { table } from "../table.ts";
import { bytesText, plural, when } from "./format.ts";

/** What is kept on this machine: how much, since when, and for how long. */
export function keptLines(
  repo: KeptInRepo | undefined,
  home: readonly KeptAtHome[],
  days: number,
): string[] {
  const age = days === 0 ? "for ever" : `${days} days`;
  const since = (at: string | undefined) => (at === undefined ? "" : `since ${when(at)}`);
  const rows: string[][] = [];
  if (repo && repo.checkpoints.bytes > 0) {
    const { bytes, since: at } = repo.checkpoints;
    rows.push(["checkpoints", bytesText(bytes), since(at), "until you delete them: seam forget"]);
  }
  if (repo && repo.turns.count > 0) {
    const { bytes, since: at } = repo.turns;
    rows.push(["turns", bytesText(bytes), since(at), `their files: ${age}`]);
  }
  if (repo && repo.rewinds.count > 0) {
    const { bytes, since: at } = repo.rewinds;
    rows.push(["before rewinds", bytesText(bytes), since(at), age]);
  }
  if (repo && repo.states.count > 0) {
    const { count, bytes, since: at } = repo.states;
    rows.push([
      plural(count, "session state"),
      bytesText(bytes),
      since(at),
      `${age} after they end`,
    ]);
  }
  for (const { what, bytes, until } of home) {
    if (bytes > 0) rows.push([what, bytesText(bytes), "", until]);
  }
  if (rows.length === 0) return [];
  return [
    paint("bold", "Kept"),
    ...table(rows.map(([first = "", ...rest]) => [`  ${first}`, ...rest])),
  ];
}
