/** A command for a shell, run in the folder the session was in. */
export function shellCommand(words: readonly string[], folder: string | undefined): string {
  const command = words.map(quoted).join(" ");
  return folder ? `cd ${quoted(folder)} && ${command}` : command;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
