/** Pi's flags that take a value, and the field each fills. */
const VALUES: Readonly<Record<string, string>> = {
  "--provider": "provider",
  "--model": "model",
  "--api-key": "apiKey",
  "--system-prompt": "systemPrompt",
  "--thinking": "thinking",
  "--mode": "mode",
  "--session": "session",
  "--session-dir": "sessionDir",
  "--session-id": "sessionId",
  "--fork": "fork",
  "--name": "name",
  "--export": "export",
};
/** Those that take a list, comma separated or said several times. */
const LISTS: Readonly<Record<string, readonly [field: string, split: boolean]>> = {
  "--append-system-prompt": ["appendSystemPrompt", false],
  "--models": ["models", true],
  "--tools": ["tools", true],
  "-t": ["tools", true],
  "--exclude-tools": ["excludeTools", true],
  "--extension": ["extensions", false],
  "-e": ["extensions", false],
  "--skill": ["skills", false],
  "--prompt-template": ["promptTemplates", false],
  "--theme": ["themes", false],
};
const SWITCHES: Readonly<Record<string, string>> = {
  "--continue": "continue",
  "-c": "continue",
  "--resume": "resume",
  "-r": "resume",
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-v": "version",
  "--print": "print",
  "-p": "print",
  "--no-session": "noSession",
  "--no-tools": "noTools",
  "--no-builtin-tools": "noBuiltinTools",
  "--no-extensions": "noExtensions",
  "-ne": "noExtensions",
  "--no-skills": "noSkills",
  "-ns": "noSkills",
  "--no-prompt-templates": "noPromptTemplates",
  "--no-themes": "noThemes",
  "--no-context-files": "noContextFiles",
  "--offline": "offline",
  "--verbose": "verbose",
};

/** A command line of Pi's, taken apart. Flags it does not know may be those of extensions. */
export function parseArgs(args: readonly string[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const messages: string[] = [];
  const fileArgs: string[] = [];
  const unknownFlags = new Map<string, boolean | string>();
  const diagnostics: { type: "warning" | "error"; message: string }[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const list = LISTS[arg];
    const field = VALUES[arg] ?? list?.[0];
    const flag = SWITCHES[arg];
    const next = args[at + 1];
    if (flag !== undefined) result[flag] = true;
    else if (field !== undefined) {
      at++;
      if (next === undefined)
        diagnostics.push({ type: "error", message: `${arg} requires a value` });
      else if (!list) result[field] = next;
      else {
        const given = list[1] ? next.split(",").map((one) => one.trim()) : [next];
        const before = result[field];
        result[field] = [...(Array.isArray(before) ? before : []), ...given];
      }
    } else if (arg.startsWith("--")) {
      const [name = "", value] = arg.slice(2).split(/=(.*)/s);
      const takes =
        value === undefined && next !== undefined && !next.startsWith("-") && !next.startsWith("@");
      if (takes) at++;
      unknownFlags.set(name, value ?? (takes ? next : true));
    } else if (arg.startsWith("@")) fileArgs.push(arg.slice(1));
    else if (arg.startsWith("-") && arg.length > 1)
      diagnostics.push({ type: "error", message: `Unknown option: ${arg}` });
    else messages.push(arg);
  }
  return { ...result, messages, fileArgs, unknownFlags, diagnostics };
}
