import { pathBytes, type RawPath } from "../paths/raw-path.ts";

/** Paths for the standard input of git programs that take them with `-z`. */
export function nulPaths(paths: readonly RawPath[]): Buffer {
  return Buffer.concat(paths.map((path) => Buffer.from([...pathBytes(path), 0])));
}
