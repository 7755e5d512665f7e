/** One command of a shell script: its words without quotes, and the files its output goes to. */
export interface SimpleCommand {
  readonly words: readonly string[];
  readonly redirects: readonly string[];
}

interface Draft {
  words: string[];
  redirects: string[];
}

const DEEPEST = 5;
/** Characters that end a word and a command. */
const SEPARATORS = new Set([";", "&", "|", "\n", "(", ")", "`", "{", "}"]);

/**
 * The commands in a shell script, also those inside of `$(…)`, backquotes and here-documents.
 * Best effort: it knows quotes, operators and redirections, not the whole language, and takes
 * text for a command rather than pass over one.
 */
export function simpleCommands(script: string, depth = 0): SimpleCommand[] {
  const commands: Draft[] = [];
  let current: Draft = { words: [], redirects: [] };
  let word: string | undefined;
  let redirecting = false;
  const inner: string[] = [];
  const endWord = () => {
    if (word === undefined) return;
    if (redirecting) current.redirects.push(word);
    else current.words.push(word);
    word = undefined;
    redirecting = false;
  };
  const endCommand = () => {
    endWord();
    redirecting = false;
    if (current.words.length > 0 || current.redirects.length > 0) commands.push(current);
    current = { words: [], redirects: [] };
  };
  for (let i = 0; i < script.length; i++) {
    const char = script[i] ?? "";
    const next = script[i + 1] ?? "";
    if (char === "\\") {
      // A backslash before the end of a line joins it with the next one.
      if (next !== "\n") word = (word ?? "") + next;
      i++;
    } else if (char === "'" || char === '"') {
      const end = closing(script, i, char);
      const quoted = script.slice(i + 1, end);
      word = (word ?? "") + (char === '"' ? quoted.replace(/\\([\\"$`])/g, "$1") : quoted);
      if (char === '"') inner.push(...substitutions(quoted));
      i = end;
    } else if (char === "$" && next === "(") {
      const end = closingParen(script, i + 2);
      const text = script.slice(i + 2, end);
      inner.push(text);
      word = `${word ?? ""}$(${text})`;
      i = end;
    } else if (char === "$" && next === "{") {
      const end = script.indexOf("}", i);
      const stop = end < 0 ? script.length : end;
      word = (word ?? "") + script.slice(i, stop + 1);
      i = stop;
    } else if (char === ">" || (char === "&" && next === ">")) {
      // A number right before it says which output is meant.
      if (word !== undefined && /^\d+$/.test(word)) word = undefined;
      endWord();
      while (/[>|&]/.test(script[i + 1] ?? "")) i++;
      redirecting = true;
      // `2>&1` goes to no file.
      const [number = ""] = /^\d+|^-/.exec(script.slice(i + 1)) ?? [];
      if (script[i] === "&" && number !== "") {
        redirecting = false;
        i += number.length;
      }
    } else if (char === "<") {
      endWord();
      if (next === "(") continue;
      while (/[<-]/.test(script[i + 1] ?? "")) i++;
    } else if (SEPARATORS.has(char)) {
      // Braces inside of a word list names: `{a,b}`.
      if ((char === "{" || char === "}") && !isAlone(script, i)) word = (word ?? "") + char;
      else endCommand();
    } else if (/\s/.test(char)) {
      endWord();
    } else if (char === "#" && word === undefined) {
      const end = script.indexOf("\n", i);
      i = end < 0 ? script.length : end - 1;
    } else {
      word = (word ?? "") + char;
    }
  }
  endCommand();
  if (depth >= DEEPEST) return commands;
  return [...commands, ...inner.flatMap((text) => simpleCommands(text, depth + 1))];
}

function isAlone(script: string, at: number): boolean {
  const around = [script[at - 1] ?? " ", script[at + 1] ?? " "];
  return around.every((char) => /[\s;]/.test(char));
}

function closing(script: string, from: number, quote: string): number {
  for (let i = from + 1; i < script.length; i++) {
    if (script[i] === "\\" && quote === '"') i++;
    else if (script[i] === quote) return i;
  }
  return script.length;
}

function closingParen(script: string, from: number): number {
  let open = 1;
  for (let i = from; i < script.length; i++) {
    if (script[i] === "(") open++;
    if (script[i] === ")" && --open === 0) return i;
  }
  return script.length;
}

/** What stands in `$(…)` and backquotes of a quoted text. */
function substitutions(text: string): string[] {
  const found = [...text.matchAll(/`([^`]*)`/g)].map(([, script = ""]) => script);
  for (let at = text.indexOf("$("); at >= 0; at = text.indexOf("$(", at + 2)) {
    found.push(text.slice(at + 2, closingParen(text, at + 2)));
  }
  return found;
}
