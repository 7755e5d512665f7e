/** What tools that run commands call the field. */
const COMMAND_FIELD = /^(command|cmd|commandLine)$/i;
const ARGUMENTS_FIELD = /^(args|argv|arguments)$/i;

/**
 * The shell command that a tool's input asks for, as text for `readShell`; undefined if it asks for
 * none. Some agents and MCP servers give a program and its arguments as a list, or the arguments in a
 * field of their own: these are words, and a shell would see them in quotes.
 *
 * @example
 * shellCommandIn({ command: ["rm", "-rf", "my folder"] }); // rm -rf 'my folder'
 */
export function shellCommandIn(input: Readonly<Record<string, unknown>>): string | undefined {
  const commands = Object.entries(input).flatMap(([field, value]) => {
    const text = COMMAND_FIELD.test(field) ? commandText(value) : undefined;
    return text === undefined ? [] : [text];
  });
  if (commands.length === 0) return undefined;
  const rest = Object.entries(input)
    .filter(([field, value]) => ARGUMENTS_FIELD.test(field) && Array.isArray(value))
    .flatMap(([, value]) => wordsOf(value).map(quoted));
  // Nobody knows which of several fields the tool takes: all of them count.
  return commands.map((command) => [command, ...rest].join(" ")).join("\n");
}

/** A field's text, or its list as one command; undefined for anything else. */
function commandText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return undefined;
  const words = wordsOf(value);
  // No program has blanks in its name: these are whole commands, one after the other.
  return /\s/.test(words[0]?.trim() ?? "") ? words.join("\n") : words.map(quoted).join(" ");
}

function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  return typeof value === "object" && value !== null ? [] : [String(value)];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
