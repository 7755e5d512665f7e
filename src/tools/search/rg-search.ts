import { Type } from "typebox";
import { Value } from "typebox/value";
import { IgnoreCheck } from "./ignore-check.ts";
import type { LineMatch, LineQuery, SearchPlace } from "./line-search.ts";
import { programRecords } from "./program-records.ts";

/** Together these make rg search what our own walk lists, in the same order. */
const RG_ARGUMENTS = [
  "--json",
  "--no-config",
  "--hidden",
  "--crlf",
  "--sort=path",
  "--no-require-git",
  "--no-ignore-dot",
  "--no-ignore-exclude",
  "--no-ignore-global",
];

/** rg gives what is not UTF-8 as base64. */
const rgText = Type.Union([
  Type.Object({ text: Type.String() }),
  Type.Object({ bytes: Type.String() }),
]);

const rgMatch = Type.Object({
  type: Type.Literal("match"),
  data: Type.Object({ path: rgText, lines: rgText, line_number: Type.Number() }),
});

/** Searches with ripgrep, in the order of the paths. */
export async function* rgSearch(
  rg: string,
  query: LineQuery,
  place: SearchPlace,
  signal: AbortSignal | undefined,
): AsyncGenerator<LineMatch> {
  const args = [
    ...RG_ARGUMENTS,
    ...(query.ignoreCase ? ["--ignore-case"] : []),
    ...(query.literal ? ["--fixed-strings"] : []),
    ...(query.glob ? [`--glob=${query.glob}`] : []),
    // The last glob wins, so this one cannot be undone by the one before.
    "--glob=!.git",
    "--",
    query.pattern,
    `./${place.file ?? ""}`,
  ];
  // rg searches ignored files when a glob names them; here .gitignore has the last word.
  const check = query.glob && !place.file ? new IgnoreCheck(place.folder) : undefined;
  const options = { cwd: place.folder, separator: "\n", signal, noneCode: 1 } as const;
  for await (const record of programRecords(rg, args, options)) {
    const event: unknown = JSON.parse(record);
    if (!Value.Check(rgMatch, event)) continue;
    const path = textOf(event.data.path).replace(/^\.\//, "");
    if (await check?.ignores(path)) continue;
    const text = textOf(event.data.lines).replace(/\r?\n$/, "");
    yield { path, line: event.data.line_number, text };
  }
}

function textOf(value: { text: string } | { bytes: string }): string {
  return "text" in value ? value.text : Buffer.from(value.bytes, "base64").toString("utf8");
}
