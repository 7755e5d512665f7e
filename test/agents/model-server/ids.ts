let last = 0;

/** An id that no other answer of this process has. */
export function newId(prefix: string): string {
  last += 1;
  return `${prefix}_${process.pid}_${last}`;
}
