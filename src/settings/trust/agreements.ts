import { mkdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { inWords } from "../../errors/index.ts";
import { replaceFile } from "../../files/index.ts";
import { seamHome } from "../paths.ts";
import { areThereCopies, type Content, keepCopy, removeOtherCopies } from "./copies.ts";

const AgreementSchema = Type.Object({
  /** The copy that was made of it; empty where an older version kept none. */
  id: Type.String(),
  kind: Type.Union([Type.Literal("settings"), Type.Literal("extension"), Type.Literal("crew")]),
  /** Of an extension: its name, where it stands in the order, whether it must not be missing. */
  name: Type.Optional(Type.String()),
  scope: Type.Optional(
    Type.Union([Type.Literal("project"), Type.Literal("user"), Type.Literal("package")]),
  ),
  critical: Type.Optional(Type.Boolean()),
});

/** What the user agreed to: a settings file, an extension or a crew's file of a project, by content. */
export type Agreement = Static<typeof AgreementSchema>;

/** By the path of the file, from the project's root. */
type Agreements = Record<string, Agreement>;

export const trustFile = () => join(seamHome(), "trust.json");

/** Missing or broken: nothing is trusted, which is the safe reading of both. */
function parseFile(): { readonly parsed?: unknown; readonly fault?: string } {
  try {
    return { parsed: JSON.parse(readFileSync(trustFile(), "utf8")) };
  } catch (error) {
    return { fault: inWords(error) };
  }
}

/** Why agreements are lost that there must have been: there are copies, and no list of them. */
export function trustFault(): string | undefined {
  const { fault } = parseFile();
  return fault !== undefined && areThereCopies() ? fault : undefined;
}

function readAll(): Record<string, Agreements> {
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

function writeAll(all: Record<string, Agreements>): void {
  mkdirSync(seamHome(), { recursive: true, mode: 0o700 });
  replaceFile(trustFile(), `${JSON.stringify(all, null, 2)}\n`);
  const ids = Object.values(all).flatMap((items) => Object.values(items).map(({ id }) => id));
  removeOtherCopies(new Set(ids));
}

/** Everything the user agreed to in a project. */
export function agreementsOf(root: string): Readonly<Agreements> {
  const all = readAll();
  return Object.hasOwn(all, root) ? (all[root] ?? {}) : {};
}

export const keyOf = (root: string, path: string) => relative(root, path);

export interface Agreed extends Omit<Agreement, "id"> {
  readonly path: string;
  readonly content: Content;
}

/** The user agreed to these, as they are now. */
export function agree(root: string, items: readonly Agreed[]): void {
  const kept = items.map(({ path, content, ...rest }): [string, Agreement] => [
    keyOf(root, path),
    { id: keepCopy(content), ...rest },
  ]);
  const all = readAll();
  writeAll({ ...all, [root]: { ...all[root], ...Object.fromEntries(kept) } });
}

/** The user takes the agreement to these files back; without a list, all of a project. */
export function withdraw(root: string, paths?: readonly string[]): void {
  const { [root]: items = {}, ...others } = readAll();
  const gone = paths && new Set(paths.map((path) => keyOf(root, path)));
  const left = gone ? Object.entries(items).filter(([key]) => !gone.has(key)) : [];
  writeAll(left.length > 0 ? { ...others, [root]: Object.fromEntries(left) } : others);
}
