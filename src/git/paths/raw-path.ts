/**
 * A path from the root of the work tree, one character per byte ("latin1").
 *
 * For git a path is bytes, in no encoding: decoded as UTF-8 some names would be lost, and sorted as
 * text they would be in another order than git's. In this form every name survives, equal names are
 * equal strings, and `<` compares as git does. It is not meant for people: see `shownPath`.
 */
export type RawPath = string & { readonly rawPath: true };

/** A path from its bytes, or from text as a person or a JSON file writes it. */
export function rawPath(path: Uint8Array | string): RawPath {
  return Buffer.from(path).toString("latin1") as RawPath;
}

export function pathBytes(path: RawPath): Buffer {
  return Buffer.from(path, "latin1");
}

export function joinPath(folder: RawPath | "", name: RawPath): RawPath {
  return (folder === "" ? name : `${folder}/${name}`) as RawPath;
}

/** The names a path is made of. */
export function pathParts(path: RawPath): RawPath[] {
  return path.split("/") as RawPath[];
}
