import { basename, dirname } from "node:path";
import { isRecord } from "../../values/index.ts";

/** Which of its arguments says most about a call of a tool, in this order. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  bash: ["command"],
  read: ["path"],
  write: ["path"],
  edit: ["path"],
  grep: ["pattern", "path"],
  find: ["pattern", "path"],
  ls: ["path"],
  skill: ["name", "skill"],
};

/** A tool call in one line: its name, and what it is about. */
export function toolSummary(name: string, args: unknown): { name: string; about: string } {
  if (!isRecord(args)) return { name, about: "" };
  const skill = name === "read" ? skillOf(args.path) : undefined;
  if (skill !== undefined) return { name: "skill", about: skill };
  const fields = TELLING[name] ?? Object.keys(args);
  const values = fields.flatMap((field) => {
    const value = args[field];
    if (value === undefined || value === null || value === "") return [];
    return [typeof value === "string" ? value : (JSON.stringify(value) ?? "")];
  });
  const where = name === "grep" || name === "find" ? values.join(" in ") : values.join(" ");
  return { name, about: where + rangeOf(name, args) };
}

/** The file of a skill is read to use it: that is one line, whatever stands in the file. */
function skillOf(path: unknown): string | undefined {
  if (typeof path !== "string" || basename(path) !== "SKILL.md") return undefined;
  return basename(dirname(path));
}

function rangeOf(name: string, { offset, limit }: Record<string, unknown>): string {
  if (name !== "read" || typeof offset !== "number") return "";
  return typeof limit === "number" ? `:${offset}-${offset + limit - 1}` : `:${offset}`;
}

/** How long something took, for people. */
export function duration(ms: number): string {
  if (ms < 1000) return "";
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
