import { readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fuzzyFilter } from "../fuzzy.ts";
import type {
  AutocompleteItem,
  AutocompleteProvider,
  AutocompleteSuggestions,
} from "./autocomplete-provider.ts";

interface SlashCommand {
  readonly name: string;
  readonly description?: string;
  getArgumentCompletions?(
    prefix: string,
  ): AutocompleteItem[] | null | Promise<AutocompleteItem[] | null>;
}

const MOST = 50;

/** Proposes slash commands at the start of a line, their arguments, and files everywhere else. */
export class CombinedAutocompleteProvider implements AutocompleteProvider {
  readonly #commands: readonly SlashCommand[];
  readonly #base: string;

  constructor(
    commands: readonly (SlashCommand | AutocompleteItem)[] = [],
    base: string = process.cwd(),
  ) {
    this.#commands = commands.map((one) => ("name" in one ? one : { ...one, name: one.value }));
    this.#base = base;
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    { force = false }: { signal: AbortSignal; force?: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
    const [, name, args] = /^\/(\S+)\s+(.*)$/.exec(before) ?? [];
    if (name !== undefined && args !== undefined) return this.#argumentsOf(name, args);
    if (/^\/\S*$/.test(before)) return this.#named(before);
    return this.#files(before, force);
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    item: AutocompleteItem,
    prefix: string,
  ) {
    const line = lines[cursorLine] ?? "";
    const isCommand =
      /^\/\S*$/.test(prefix) && line.startsWith(prefix) && !prefix.slice(1).includes("/");
    const start = line.slice(0, cursorCol - prefix.length);
    const value = isCommand ? `/${item.value} ` : item.value;
    const next = [...lines];
    next[cursorLine] = start + value + line.slice(cursorCol);
    return { lines: next, cursorLine, cursorCol: start.length + value.length };
  }

  /** Not while a command is typed. */
  shouldTriggerFileCompletion(lines: string[], cursorLine: number, cursorCol: number): boolean {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol).trim();
    return !before.startsWith("/") || before.includes(" ");
  }

  #named(prefix: string): AutocompleteSuggestions | null {
    const items = fuzzyFilter([...this.#commands], prefix.slice(1), ({ name }) => name).map(
      ({ name, description }) => ({
        value: name,
        label: name,
        ...(description && { description }),
      }),
    );
    return items.length > 0 ? { items, prefix } : null;
  }

  async #argumentsOf(name: string, prefix: string): Promise<AutocompleteSuggestions | null> {
    const command = this.#commands.find((one) => one.name === name);
    const items = (await command?.getArgumentCompletions?.(prefix)) ?? [];
    return items.length > 0 ? { items, prefix } : null;
  }

  #files(before: string, force: boolean): AutocompleteSuggestions | null {
    const word = /(?:^|\s)(@?\S*)$/.exec(before)?.[1] ?? "";
    if (!force && !word.startsWith("@") && !/^(\.{0,2}\/|~\/)/.test(word)) return null;
    const at = word.startsWith("@") ? "@" : "";
    const path = word.slice(at.length);
    const folder = path.endsWith("/") || path === "" ? path : dirname(path);
    const typed = path.endsWith("/") || path === "" ? "" : basename(path);
    const lead =
      folder === "" || (folder === "." && !path.startsWith("."))
        ? ""
        : `${folder.replace(/\/$/, "")}/`;
    const items = namesIn(this.#absolute(folder))
      .filter(({ name }) => name.toLowerCase().startsWith(typed.toLowerCase()))
      .slice(0, MOST)
      .map(({ name, isFolder }) => {
        const end = isFolder ? "/" : "";
        return { value: `${at}${lead}${name}${end}`, label: `${name}${end}` };
      });
    return items.length > 0 ? { items, prefix: word } : null;
  }

  #absolute(folder: string): string {
    if (folder === "~" || folder.startsWith("~/")) return join(homedir(), folder.slice(1));
    return resolve(this.#base, folder || ".");
  }
}

function namesIn(folder: string): { name: string; isFolder: boolean }[] {
  try {
    return readdirSync(folder)
      .filter((name) => name !== ".git")
      .sort()
      .map((name) => ({
        name,
        isFolder: statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true,
      }));
  } catch {
    return [];
  }
}
