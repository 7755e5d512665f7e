import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, resolve } from "node:path";
import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  fuzzyFilter,
} from "../../terminal/index.ts";
import { FileList } from "./file-list.ts";

/** A command that can be entered with a slash. */
export interface CompletableCommand {
  readonly name: string;
  readonly description?: string;
  readonly complete?: (
    prefix: string,
  ) => AutocompleteItem[] | null | Promise<AutocompleteItem[] | null>;
}

const MOST_PROPOSALS = 50;

/** Proposes commands behind `/`, files behind `@`, and paths on tab. */
export class PromptCompletions implements AutocompleteProvider {
  readonly #cwd: string;
  readonly #commands: () => readonly CompletableCommand[];
  readonly #files: FileList;

  constructor(cwd: string, commands: () => readonly CompletableCommand[]) {
    this.#cwd = cwd;
    this.#commands = commands;
    this.#files = new FileList(cwd);
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    { force = false }: { signal: AbortSignal; force?: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
    const command = cursorLine === 0 ? /^\s*\/(\S*)$/.exec(before) : null;
    if (command && !(force && before.includes("/", 1)))
      return this.#proposeCommands(command[1] ?? "");
    const argument = cursorLine === 0 ? /^\s*\/(\S+)\s+(.*)$/.exec(before) : null;
    if (argument) {
      const [, name = "", typed = ""] = argument;
      const found = await this.#proposeArguments(name, typed);
      if (found) return found;
    }
    const file = /(?:^|\s)@(\S*)$/.exec(before);
    if (file) return this.#proposeFiles(file[1] ?? "");
    return force ? this.#proposePaths(/\S*$/.exec(before)?.[0] ?? "") : null;
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    item: AutocompleteItem,
    prefix: string,
  ): { lines: string[]; cursorLine: number; cursorCol: number } {
    const line = lines[cursorLine] ?? "";
    const start = line.slice(0, cursorCol - prefix.length);
    const rest = line.slice(cursorCol);
    const isDone = !item.value.endsWith("/") && (prefix.startsWith("/") || prefix.startsWith("@"));
    const gap = isDone && !rest.startsWith(" ") ? " " : "";
    const next = [...lines];
    next[cursorLine] = start + item.value + gap + rest;
    return { lines: next, cursorLine, cursorCol: start.length + item.value.length + gap.length };
  }

  #proposeCommands(typed: string): AutocompleteSuggestions | null {
    const found = fuzzyFilter([...this.#commands()], typed, ({ name }) => name);
    const items = found.slice(0, MOST_PROPOSALS).map(({ name, description }) => ({
      value: `/${name}`,
      label: name,
      ...(description !== undefined && { description }),
    }));
    return items.length === 0 ? null : { items, prefix: `/${typed}` };
  }

  async #proposeArguments(name: string, typed: string): Promise<AutocompleteSuggestions | null> {
    const command = this.#commands().find((one) => one.name === name);
    const items = (await command?.complete?.(typed)) ?? [];
    return items.length === 0 ? null : { items: items.slice(0, MOST_PROPOSALS), prefix: typed };
  }

  async #proposeFiles(typed: string): Promise<AutocompleteSuggestions | null> {
    const files = [...(await this.#files.files())];
    const found = typed === "" ? files : fuzzyFilter(files, typed, (path) => path);
    const items = found.slice(0, MOST_PROPOSALS).map((path) => ({
      value: `@${path}`,
      label: basename(path),
      description: path,
    }));
    return items.length === 0 ? null : { items, prefix: `@${typed}` };
  }

  async #proposePaths(typed: string): Promise<AutocompleteSuggestions | null> {
    const folder = typed.endsWith("/") ? typed : typed.includes("/") ? `${dirname(typed)}/` : "";
    const at = resolve(this.#cwd, folder.replace(/^~(?=\/|$)/, homedir()));
    const start = typed.slice(folder.length);
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    const items = entries
      .filter(({ name }) => name.startsWith(start) && (start !== "" || !name.startsWith(".")))
      .slice(0, MOST_PROPOSALS)
      .map((entry) => {
        const end = entry.isDirectory() ? "/" : "";
        return { value: `${folder}${entry.name}${end}`, label: `${entry.name}${end}` };
      });
    return items.length === 0 ? null : { items, prefix: typed };
  }
}
