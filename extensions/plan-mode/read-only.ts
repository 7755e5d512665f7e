/** Programs that only look, each with the options that make it write or run something. */
const READERS: Readonly<Record<string, RegExp | undefined>> = {
  ...harmless("basename cat cd cut df diff dirname du echo grep head jq ls nl pwd realpath"),
  ...harmless("stat tail tr true wc which"),
  file: /(^|\s)-\w*C|--comp/,
  find: /-(exec|execdir|ok|okdir|delete|fprint\w*|fls)\b/,
  // Long options may be shortened.
  git: /--(ou|ext)/,
  rg: /--(pre|hostname-bin)\b/,
  sort: /(^|\s)-\w*[oT]|--(o|t|com)/,
};

/** What `git` may be asked for; anything else may change the repository. */
const GIT = /^git (status|log|diff|show|blame|ls-files|ls-tree|rev-parse|shortlog|describe)\b/;

/**
 * Whether a shell command changes nothing, as far as can be told from its text. Everything that
 * is not known to be harmless counts as harmful. A guard for an agent that means well, no sandbox.
 */
export function isReadOnly(command: string): boolean {
  const bare = withoutQuotes(command);
  if (bare === undefined) return false;
  // Errors may go nowhere or with the rest; nothing may go into a file.
  const text = bare.replace(/\s[12]?>\s?\/dev\/null(?=[\s;|&]|$)|\s2>&1/g, "");
  if (/[<>`{]|\$\(/.test(text)) return false;
  const parts = text.split(/&&|\|\||[;|\n]/).map((part) => part.trim().replace(/\s+/g, " "));
  return parts.filter((part) => part !== "").every(onlyLooks);
}

function onlyLooks(part: string): boolean {
  const [program = ""] = part.split(" ");
  if (!Object.hasOwn(READERS, program) || part.includes("&")) return false;
  if (program === "git" && !GIT.test(part)) return false;
  return !READERS[program]?.test(part);
}

/**
 * The command with quoted and escaped text in the open, its special characters made harmless: what
 * is quoted is no operator, but it may well be an option. Undefined if the quotes are not simple.
 */
function withoutQuotes(command: string): string | undefined {
  const defused = (text: string) => text.replace(/[\s;&|<>{}$`'"]/g, "_");
  const bare = command.replace(
    /\\([^\n])|(?<!\$)'([^'\n]*)'|(?<!\$)"((?:[^"\\\n`$]|\\[^\n]|\$(?!\())*)"/g,
    (_, escaped = "", single = "", double = "") => defused(escaped + single + double),
  );
  return /['"\\]/.test(bare) ? undefined : bare;
}

function harmless(programs: string): Record<string, undefined> {
  return Object.fromEntries(programs.split(" ").map((program) => [program, undefined]));
}
