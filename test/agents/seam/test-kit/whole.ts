/** The lines of a text that are complete. */
export function whole(text: string): string[] {
  return text.split("\n").slice(0, -1).filter(Boolean);
}
