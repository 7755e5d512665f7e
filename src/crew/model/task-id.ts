const LONGEST = 60;

/** Ids become names of branches and folders: git allows no branch that ends in ".lock". */
export function isTaskId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(text) && text.length <= LONGEST && text !== "lock";
}

/** An id made of a heading or of what an agent called a task; undefined if nothing of it can stay. */
export function taskIdOf(text: string): string | undefined {
  const id = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^[-_]+|-+$/g, "")
    .slice(0, LONGEST)
    .replace(/-+$/, "");
  return isTaskId(id) ? id : undefined;
}
