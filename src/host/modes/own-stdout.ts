/** The program's own output, and everyone else's kept out of it. */
export interface OwnStdout {
  write(text: string): void;
  /** Resolves when everything written so far has left the process. */
  flushed(): Promise<void>;
}

/**
 * Takes stdout for a protocol: what extensions print from now on goes to stderr instead of into
 * the middle of a line of JSON.
 */
export function takeStdout(): OwnStdout {
  const own = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  return {
    write: (text) => void own(text),
    flushed: () => new Promise((resolve) => own("", () => resolve())),
  };
}
