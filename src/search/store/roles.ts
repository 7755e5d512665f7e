/** What an entry is. Its number is its place in this list, which is therefore only added to. */
export const ROLES = [
  "prompt",
  "answer",
  "thinking",
  "call",
  "title",
  "stop",
  "input",
  "output",
] as const;

export type Role = (typeof ROLES)[number];

/** What tools were given and gave back: found only on request, and only by words. */
export const TOOL_ROLES: ReadonlySet<Role> = new Set(["input", "output"]);

export function numberOfRole(role: Role): number {
  return ROLES.indexOf(role);
}

export function roleOfNumber(number: number): Role {
  return ROLES[number] ?? "answer";
}
