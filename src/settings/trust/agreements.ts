import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { inWords, SeamError, systemCode } from "../../errors/index.ts";
import { type FileLock, pause, replaceFile, tryLock } from "../../files/index.ts";
import { seamHome } from "../paths.ts";
import { areThereCopies, type Content, keepCopy, oldCopies, removeOtherCopies } from "./copies.ts";

const AgreementSchema = Type.Object({
  /** The copy that was made of it; empty where an older version kept none. */
  id: Type.String(),
  kind: Type.Union([
    Type.Literal("settings"),
    Type.Literal("extension"),
    Type.Literal("crew"),
    Type.Literal("package"),
    // The user does without what another work tree of the repository has.
    Type.Literal("declined"),
  ]),
  /** Of an extension: its name, where it stands in the order, whether it must not be missing. */
  name: Type.Optional(Type.String()),
  scope: Type.Optional(
    Type.Union([Type.Literal("project"), Type.Literal("user"), Type.Literal("package")]),
  ),
  critical: Type.Optional(Type.Boolean()),
  /** Of a package: how its files looked when its content was hashed, so that it need not be again. */
  print: Type.Optional(Type.String()),
});

/** What the user agreed to, by content: a settings file, an extension or a crew's file of a project, or a package. */
export type Agreement = Static<typeof AgreementSchema>;

/** What the user agreed to in a project, by the path of the file from the project's root. */
export type Agreements = Record<string, Agreement>;

export const trustFile = () => join(seamHome(), "trust.json");

interface ReadList {
  readonly parsed?: unknown;
  /** Why there is nothing. */
  readonly fault?: string;
  /** It is there, and the system did not let it be read. */
  readonly isUnread?: boolean;
}

/** Younger than this, a file can change again without looking different. */
const SETTLED_MS = 100;

let last: { readonly stamp: string; readonly list: ReadList } | undefined;

/**
 * Missing or broken: nothing is trusted, which is the safe reading of both. As long as the file is the
 * same it is not read again: not even a process that can open no file any more forgets its gates.
 */
function parseFile(): ReadList {
  const path = trustFile();
  try {
    const stats = statSync(path, { bigint: true });
    const stamp = `${path} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
    if (last?.stamp === stamp) return last.list;
    const list = { parsed: JSON.parse(readFileSync(path, "utf8")) };
    if (Date.now() - Number(stats.ctimeMs) > SETTLED_MS) last = { stamp, list };
    return list;
  } catch (error) {
    const code = systemCode(error);
    return { fault: inWords(error), isUnread: code !== undefined && code !== "ENOENT" };
  }
}

/** A copy that is so young may be about to be named. */
const SETTLING_MS = 60_000;

/** Why agreements are lost that there must have been: there are copies, and no list that names them. */
export function trustFault(): string | undefined {
  const { parsed, fault } = parseFile();
  const copies = oldCopies(SETTLING_MS);
  if (fault !== undefined) return areThereCopies() ? fault : undefined;
  const named = idsIn(parsed);
  const lost = copies.filter((id) => !named.has(id)).length;
  return lost === 0 ? undefined : `${trustFile()} does not name ${lost} of ${copies.length} copies`;
}

export function readAll(): Record<string, Agreements> {
  const { parsed } = parseFile();
  return Object.fromEntries(
    entriesOf(parsed).map(([root, items]) => [
      root,
      Object.fromEntries(
        entriesOf(items).flatMap(([key, item]) => {
          const agreement = parseAgreement(item);
          return agreement ? [[key, agreement]] : [];
        }),
      ),
    ]),
  );
}

/**
 * Under this key the list of a project names projects in other work trees of its repository whose gates
 * hold in it. A Seam that does not know it takes it for no agreement.
 */
const LENDERS = ".";
const LendersSchema = Type.Object({ lenders: Type.Array(Type.String()) });

/** From so many on, those of folders that are gone are forgotten. */
const MOST_BORROWERS = 500;

let decided: { readonly parsed: unknown; readonly roots: ReadonlySet<string> } | undefined;

/** The projects in which the user decided something, or gates of others hold. */
export function decidedProjects(): ReadonlySet<string> {
  const { parsed } = parseFile();
  if (decided === undefined || decided.parsed !== parsed) {
    decided = { parsed, roots: new Set(entriesOf(parsed).map(([root]) => root)) };
  }
  return decided.roots;
}

/** The projects that were found to lend to others, by those others. */
export function notedLenders(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    entriesOf(parseFile().parsed).flatMap(([root, items]): [string, readonly string[]][] => {
      const noted = lendersIn(Object.fromEntries(entriesOf(items)));
      return noted.length > 0 ? [[root, noted]] : [];
    }),
  );
}

function lendersIn({ [LENDERS]: noted }: Items): readonly string[] {
  return Value.Check(LendersSchema, noted) ? noted.lenders : [];
}

/** Keeps it whatever git says from now on: the user takes it back in either project. */
export function noteLenders(root: string, lenders: readonly string[]): void {
  const borrowers = [...notedLenders().keys()];
  const isTooMany = borrowers.length >= MOST_BORROWERS;
  for (const gone of isTooMany ? borrowers.filter((one) => !existsSync(one)) : []) {
    change(gone, ({ [LENDERS]: _, ...items }) => items);
  }
  // Others may have noted some at the same moment.
  change(root, (items) => ({
    ...items,
    [LENDERS]: { lenders: [...new Set([...lendersIn(items), ...lenders])] },
  }));
}

function parseAgreement(item: unknown): Agreement | undefined {
  if (Value.Check(AgreementSchema, item)) return item;
  // Before there were copies, an extension's agreement was the hashes of its files.
  const hashes = entriesOf(item);
  if (hashes.length === 0 || !hashes.every(([, hash]) => typeof hash === "string"))
    return undefined;
  return { id: "", kind: "extension" };
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** The copies that a list names, also for things that this version does not know. */
function idsIn(list: unknown): Set<string> {
  const items = entriesOf(list).flatMap(([, entries]) => entriesOf(entries));
  const ids = items.map(([, item]) => Object.fromEntries(entriesOf(item)).id);
  return new Set(ids.filter((id) => typeof id === "string"));
}

/** The items of one project, as they are in the file: what this version does not know stays there. */
type Items = Readonly<Record<string, unknown>>;

/**
 * Changes what the user agreed to in one project, while no other process changes the list: it would take
 * what the other one wrote for nothing, and its copies for left over.
 */
export function change(root: string, toItems: (items: Items) => Items): void {
  mkdirSync(seamHome(), { recursive: true, mode: 0o700 });
  const lock = takeLock();
  try {
    const { parsed, fault: detail = "", isUnread } = parseFile();
    // What is not known would be lost, with its copies.
    if (isUnread) throw new SeamError("SEAM_TRUST_UNREAD", { path: trustFile(), detail });
    const { [root]: items, ...others } = Object.fromEntries(entriesOf(parsed));
    const changed = toItems(Object.fromEntries(entriesOf(items)));
    const all = Object.keys(changed).length > 0 ? { ...others, [root]: changed } : others;
    replaceFile(trustFile(), `${JSON.stringify(all, null, 2)}\n`);
    removeOtherCopies(idsIn(all));
  } finally {
    lock.release();
  }
}

const RETRY_MS = 10;
/** Copying even a large extension takes less. */
const PATIENCE_MS = 30_000;

function takeLock(): FileLock {
  const path = join(seamHome(), "trust.lock");
  for (const deadline = Date.now() + PATIENCE_MS; ; pause(RETRY_MS)) {
    const lock = tryLock(path);
    if (lock.isOurs) return lock;
    if (Date.now() > deadline) {
      throw new SeamError("SEAM_TRUST_BUSY", { process: lock.pid ?? "?", path });
    }
  }
}

export const keyOf = (root: string, path: string) => relative(root, path);

export interface Agreed extends Omit<Agreement, "id"> {
  readonly path: string;
  readonly content: Content;
}

/** The user agreed to these, as they are now. */
export function agree(root: string, items: readonly Agreed[]): void {
  change(root, (before) => {
    const kept = items.map(({ path, content, ...rest }): [string, Agreement] => [
      keyOf(root, path),
      { id: keepCopy(content), ...rest },
    ]);
    return { ...before, ...Object.fromEntries(kept) };
  });
}

/** The user agreed to something that is kept where it is: there is no copy of it, only its id. */
export function agreeInPlace(root: string, path: string, agreement: Agreement): void {
  change(root, (before) => ({ ...before, [keyOf(root, path)]: agreement }));
}
