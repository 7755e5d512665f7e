/** What was removed, never the value. */
export interface Redaction {
  /** The kind of secret: what stands in its place says the same. */
  readonly rule: string;
  readonly count: number;
  /** From 1, in the whole stream. Absent for a document. */
  readonly line?: number;
  /** It stands in a key of an object. Keys are not changed: the one who stores this must decide. */
  readonly kept?: true;
}

/** The same kinds on the same line counted together. */
export function counted(
  kinds: readonly string[],
  inKeys: readonly string[],
  line: number | undefined,
): Redaction[] {
  const where = line === undefined ? {} : { line };
  return [
    ...[...counts(kinds)].map(([rule, count]) => ({ rule, count, ...where })),
    ...[...counts(inKeys)].map(([rule, count]) => ({ rule, count, ...where, kept: true as const })),
  ];
}

function counts(kinds: readonly string[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const kind of kinds) all.set(kind, (all.get(kind) ?? 0) + 1);
  return all;
}
