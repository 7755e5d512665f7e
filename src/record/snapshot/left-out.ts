/** A file that is not in a snapshot, or in it as it was before. */
export interface LeftOut {
  readonly path: string;
  /** `elsewhere`: behind a link, or in another repository. */
  readonly why: "secret" | "too big" | "elsewhere" | "unreadable";
}

const REASONS = ["secret", "too big", "elsewhere"] as const;

/** Reads what a stored snapshot says of them; once it was the paths alone. */
export function parseLeftOut(value: unknown): LeftOut[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown): LeftOut[] => {
    if (typeof one === "string") return [{ path: one, why: "unreadable" }];
    if (typeof one !== "object" || one === null) return [];
    const { path, why } = one as Partial<LeftOut>;
    if (typeof path !== "string") return [];
    return [{ path, why: REASONS.find((reason) => reason === why) ?? "unreadable" }];
  });
}
