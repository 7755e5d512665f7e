/** Tools, by their normalised names, that leave every file as it is. */
const READS_ONLY: ReadonlySet<string> = new Set(["read", "grep", "find", "ls", "skill", "todo"]);

/** Whether a call may change files. A command may do anything, and so may a tool nobody knows. */
export function canWrite({ name }: { readonly name: string }): boolean {
  return !READS_ONLY.has(name);
}
