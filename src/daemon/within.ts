/** Resolves when the work is done, has failed, or took too long. */
export function within(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    work.then(resolve, resolve).finally(() => clearTimeout(timer));
  });
}
