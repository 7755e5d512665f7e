/** Labels and descriptions may hold line breaks; a list row must not. */
export function singleLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ").trim();
}
