/** Cursor puts what the user typed into tags, among much else that it adds. */
export function typedText(said: string): string | undefined {
  const queries = Array.from(said.matchAll(/<user_query>\s*([\s\S]*?)\s*<\/user_query>/g));
  const typed = queries.map(([, query = ""]) => query).filter((query) => query !== "");
  if (typed.length > 0) return typed.join("\n");
  const bare = said.trim();
  return bare === "" || bare.startsWith("<") ? undefined : bare;
}
