import { join, relative, resolve } from "node:path";
import { isBelow } from "../../files/index.ts";
import { isSeamHome, PROJECT_DIR } from "../paths.ts";
import {
  type Agreement,
  type Agreements,
  change,
  keyOf,
  notedLenders,
  readAll,
} from "./agreements.ts";
import { changesSince, type FileChange } from "./changes.ts";
import { type Content, idOf, keepCopy, type Manifest, readManifest } from "./copies.ts";
import { counterpart, workTreesAround } from "./work-trees.ts";

/**
 * An agreement that holds in a project: one that was given there, or one that was given in another work
 * tree of the same repository. The id is in both cases that of the same content in this project.
 */
export interface HeldAgreement extends Agreement {
  /** Of one that was given elsewhere: in which project, and the copy that was made there. */
  readonly lender?: Lender;
}

interface Lender {
  readonly root: string;
  readonly id: string;
  /** git does not say any more that both projects are of one repository. */
  readonly isCutOff?: true;
}

type Held = ReadonlyMap<string, readonly HeldAgreement[]>;

/**
 * What holds in a project, by the path from its root. What the user decided in the project itself counts
 * alone; of what was decided in other work trees, the latest comes first.
 */
export function heldAgreements(root: string): Held {
  const all = readAll();
  const own = agreementsIn(all, root);
  const held = new Map<string, HeldAgreement[]>();
  for (const { lender, key, agreement } of lentTo(root, all)) {
    if (Object.hasOwn(own, key)) continue;
    const lent = { ...agreement, id: idHere(lender.root, root, agreement) };
    held.set(key, [{ ...lent, lender: { ...lender, id: agreement.id } }, ...(held.get(key) ?? [])]);
  }
  for (const [key, agreement] of Object.entries(own)) {
    if (agreement.kind !== "declined") held.set(key, [agreement]);
  }
  return held;
}

/** The agreement to a file with this content; one that was given here holds whatever the file has become. */
export function agreementTo(
  held: readonly HeldAgreement[] | undefined,
  id: string | undefined,
): HeldAgreement | undefined {
  return held?.find((one) => !one.lender || one.id === id);
}

/** What the user agreed to in the project itself. */
export function agreementsOf(root: string): Readonly<Agreements> {
  const own = Object.entries(agreementsIn(readAll(), root));
  return Object.fromEntries(own.filter(([, { kind }]) => kind !== "declined"));
}

function agreementsIn(all: Readonly<Record<string, Agreements>>, root: string): Agreements {
  return Object.hasOwn(all, root) ? (all[root] ?? {}) : {};
}

/** What belongs to a project's content. A path of the user's own means the same in every work tree. */
const isLent = ({ kind, scope }: Agreement) =>
  kind !== "declined" && kind !== "package" && scope !== "user";

interface Lent {
  readonly lender: Omit<Lender, "id">;
  readonly key: string;
  readonly agreement: Agreement;
}

type All = Readonly<Record<string, Agreements>>;

/**
 * The agreements of other work trees that may hold in a project, the latest last. That they are of one
 * repository is said by files of git alone, which whoever works in the project can change: what must not
 * be missing goes on where they said so once, and comes first, so that others stand for it.
 */
function lentTo(root: string, all: All): Lent[] {
  const proven = provenLenders(root, all);
  const noted = (notedLenders().get(root) ?? []).filter((lender) => !proven.includes(lender));
  return [
    ...noted.flatMap((lender) =>
      lentBy({ root: lender, isCutOff: true }, all).filter(({ agreement }) => isGate(agreement)),
    ),
    ...proven.flatMap((lender) => lentBy({ root: lender }, all)),
  ];
}

function provenLenders(root: string, all: All): string[] {
  const trees = workTreesAround(root);
  if (trees.length === 0) return [];
  return Object.keys(all).filter((lender) =>
    trees.some((tree) => counterpart(lender, tree) === root),
  );
}

function lentBy(lender: Lent["lender"], all: All): Lent[] {
  return Object.entries(agreementsIn(all, lender.root))
    .filter(([, agreement]) => isLent(agreement))
    .map(([key, agreement]) => ({ lender, key, agreement }));
}

const isGate = ({ kind, critical }: Agreement) => kind === "extension" && critical === true;

/**
 * Who lends gates to a project, or to one around it, and was not noted yet. To be noted before anybody
 * works there.
 */
export function lendersToNote(root: string): ReadonlyMap<string, readonly string[]> {
  const all = readAll();
  const noted = notedLenders();
  const missing = [root, ...agreedAround(root)].flatMap((borrower): [string, string[]][] => {
    const before = noted.get(borrower) ?? [];
    const fresh = provenLenders(borrower, all)
      .filter((lender) => !before.includes(lender))
      .filter((lender) => lentBy({ root: lender }, all).some(({ agreement }) => isGate(agreement)));
    return fresh.length === 0 ? [] : [[borrower, fresh]];
  });
  return new Map(missing);
}

/** The id that the same files would have in this project. None is the same as a copy that is broken. */
function idHere(lender: string, root: string, { id }: Agreement): string {
  try {
    const files = Object.entries(readManifest(id));
    const moved: [string, string][] = files.map(([path, hash]) => [move(path, lender, root), hash]);
    return idOf(sorted(moved));
  } catch {
    return "";
  }
}

function sorted(files: [path: string, hash: string][]): Manifest {
  const byPath = new Map(files);
  return Object.fromEntries(
    [...byPath.keys()].sort().map((path) => [path, byPath.get(path) ?? ""]),
  );
}

const move = (path: string, from: string, to: string) => resolve(to, relative(from, path));

function moved(content: Content, from: string, to: string): Content {
  return new Map([...content].map(([path, bytes]) => [move(path, from, to), bytes]));
}

/** The copy of what was agreed to, and the project in which it was. */
export function copyBehind(
  root: string,
  { id, lender }: HeldAgreement,
): { readonly root: string; readonly id: string } {
  return lender ?? { root, id };
}

/** Makes the copy of an agreement again from the same content. */
export function keepAgain(root: string, agreement: HeldAgreement, content: Content): void {
  keepCopy(moved(content, root, copyBehind(root, agreement).root));
}

/** How files of a project differ from what was agreed to, by their paths there. */
export function changesFrom(
  root: string,
  agreement: HeldAgreement,
  content: Content,
): FileChange[] {
  const copy = copyBehind(root, agreement);
  return changesSince(copy.id, moved(content, root, copy.root)).map((one) => ({
    ...one,
    path: move(one.path, copy.root, root),
  }));
}

const COUNTS_BELOW: ReadonlySet<Agreement["kind"]> = new Set(["extension", "settings"]);

/**
 * The projects around this one in which the user agreed to something that runs or counts, or in another
 * work tree of the same repository, the nearest first. A repository or a `.seam` that appears further in
 * must not take that away.
 */
export function agreedAround(root: string): string[] {
  const agreed = Object.entries(readAll())
    .filter(([, items]) => Object.values(items).some(({ kind }) => COUNTS_BELOW.has(kind)))
    .map(([project]) => project);
  const lent = workTreesAround(root).flatMap((tree) =>
    agreed.flatMap((project) => counterpart(project, tree) ?? []),
  );
  return [...new Set([...agreed, ...lent, ...notedLenders().keys()])]
    .filter((around) => isBelow(root, around) && !isSeamHome(join(around, PROJECT_DIR)))
    .sort((a, b) => b.length - a.length);
}

const DECLINED: Agreement = { id: "", kind: "declined" };

/**
 * The user takes the agreement to these files back; without a list, all of a project. What was agreed to in
 * another work tree goes on there, so that the project has to remember that it does without.
 */
export function withdraw(root: string, paths?: readonly string[]): void {
  const named = paths && new Set(paths.map((path) => keyOf(root, path)));
  const isMeant = (key: string) => named === undefined || named.has(key);
  change(root, (before) => {
    const lent = lentTo(root, readAll()).map(({ key }) => key);
    return Object.fromEntries([
      ...Object.entries(before).filter(([key]) => !isMeant(key)),
      ...lent.filter(isMeant).map((key) => [key, DECLINED] as const),
    ]);
  });
}
