import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeFileSync,
} from "node:fs";

/**
 * Takes off what follows `end`, which was never completely written, and keeps it beside the file.
 * Returns where it is kept.
 */
export function moveTornEnd(path: string, end: number): string {
  const fd = openSync(path, "r+");
  try {
    const torn = Buffer.alloc(fstatSync(fd).size - end);
    readSync(fd, torn, 0, torn.length, end);
    const kept = freeName(`${path}.torn`);
    writeFileSync(kept, torn, { flag: "wx", mode: 0o600 });
    ftruncateSync(fd, end);
    return kept;
  } finally {
    closeSync(fd);
  }
}

/** The first name with a number at its end that nothing has yet. */
export function freeName(path: string): string {
  let number = 1;
  while (existsSync(`${path}-${number}`)) number++;
  return `${path}-${number}`;
}
