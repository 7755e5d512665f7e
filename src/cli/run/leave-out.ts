import { statSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "../../errors/index.ts";
import { nearest } from "../../events/index.ts";
import { isCritical, knownPath, type Source } from "../../extensions/index.ts";
import { keepStuckNotes, type StuckNote, stuckNotes } from "../../host/index.ts";
import { isAsked } from "../ask/terminal.ts";
import { askYesNo } from "../ask/yes-no.ts";

interface Options {
  readonly cwd: string;
  /** Names or paths of extensions that the user does not want in this run. */
  readonly without: readonly string[];
  /** Whether somebody can be asked. */
  readonly asks?: boolean;
  readonly warn: (text: string) => void;
}

/**
 * The extensions of a run, without those the user wants to leave out. If an earlier run was ended
 * because of one, the user is told, and asked where there is somebody to ask.
 */
export async function leaveOut(
  sources: readonly Source[],
  { cwd, without, asks = isAsked(), warn }: Options,
): Promise<readonly Source[]> {
  const unwanted = new Set(without.map((wanted) => found(wanted, sources, cwd)));
  for (const source of unwanted) {
    // Whoever relies on one has to know that nothing stands in for it.
    if (isCritical(source))
      warn(`${source.name} is critical. In this run nothing takes its place.`);
  }
  const offered = sources.filter((source) => !unwanted.has(source));
  for (const source of await stuckBefore(offered, asks, warn)) unwanted.add(source);
  return sources.filter((source) => !unwanted.has(source));
}

function found(wanted: string, sources: readonly Source[], cwd: string): Source {
  const path = resolve(cwd, wanted);
  const source = sources.find(
    (one) => one.name === wanted || one.path === path || knownPath(one) === path,
  );
  if (source) return source;
  const names = sources.map(({ name }) => name);
  const close = nearest(wanted, names);
  const hint = close
    ? `Did you mean "${close}"?`
    : names.length > 0
      ? `There are: ${names.join(", ")}.`
      : "Leave out --without: no extension would be loaded.";
  throw usageError(`--without: there is no extension "${wanted}".`, hint);
}

/** Tells of the extensions that an earlier run was ended because of. Returns those to leave out. */
async function stuckBefore(
  sources: readonly Source[],
  asks: boolean,
  warn: Options["warn"],
): Promise<Source[]> {
  const notes = stuckNotes();
  const known = notes.flatMap((note) => {
    const source = sources.find(({ path }) => path === note.path);
    return source ? [{ note, source }] : [];
  });
  if (known.length === 0) return [];
  const current = known.filter(({ note }) => !changedSince(note));
  for (const text of new Set(current.map(({ note }) => note.text))) warn(`The last time: ${text}`);
  const left: Source[] = [];
  for (const { source } of current) {
    const { name } = source;
    if (!asks) warn(`To leave it out of a run: --without ${name}`);
    else if (await askYesNo(`Leave ${name} out of this run?`, true)) left.push(source);
  }
  // What is left out today would do the same tomorrow; of the others the user knows now.
  const told = new Set(known.map(({ note }) => note));
  const kept = known.filter(({ source }) => left.includes(source)).map(({ note }) => note);
  keepStuckNotes([...notes.filter((note) => !told.has(note)), ...kept]);
  return left;
}

/** Who has worked on it since need not be told. */
function changedSince({ path, at }: StuckNote): boolean {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
  return mtimeMs > at;
}
