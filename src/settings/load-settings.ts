import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { inWords, refusal, SeamError, systemCode } from "../errors/index.ts";
import { mismatch, nearest } from "../events/index.ts";
import { readRegularText, SMALL_FILE } from "../files/index.ts";
import { isRecord } from "../values/index.ts";
import { isSeamHome, PROJECT_DIR, seamHome } from "./paths.ts";
import { POLICIES } from "./policy.ts";
import { projectRoot } from "./project-root.ts";
import {
  defaultSettings,
  SETTING_KEYS,
  type SettingKey,
  type Settings,
  SettingsSchema,
} from "./schema.ts";
import { readSettingsText } from "./settings-text.ts";
import { keyOf } from "./trust/agreements.ts";
import { faultOf, hashOf, idOf, pathInCopy } from "./trust/copies.ts";
import {
  agreedAround,
  agreementTo,
  type HeldAgreement,
  heldAgreements,
} from "./trust/held-agreements.ts";

/** Whether the user agreed to a file of a project as it is now. */
export type Trust = "trusted" | "new" | "changed" | "gone";

/** A settings file of a project that asks for something only the user can grant. */
export interface AskingFile {
  readonly path: string;
  readonly trust: Trust;
  /** What it asks for as it is now, in words. */
  readonly asks: readonly string[];
  /** All of it as it was read for that: nothing else may be agreed to. Undefined: it is gone. */
  readonly text: string | undefined;
}

/** What is listed in the settings and belongs to one side. */
type Listed = Pick<Settings, "extensions" | "packages" | "agents" | "disabled">;

export interface LoadedSettings {
  readonly settings: Settings;
  /** What of the lists the user's own file names, and what the project's. */
  readonly listed: { readonly user: Listed; readonly project: Listed };
  /** Which file each value that is not a default came from. */
  readonly origins: ReadonlyMap<SettingKey, string>;
  /** Files of the project that need the user's agreement, or have it. */
  readonly asking: readonly AskingFile[];
  /** Never fatal: what could not be used, and why. */
  readonly problems: readonly SeamError[];
}

export interface LoadSettingsOptions {
  /** As it would be if the user agreed to everything: for showing it. */
  readonly asIfTrusted?: boolean;
}

/**
 * The files settings come from: the user's, the project's, the project's on this machine, and the same of
 * the projects around it in which the user agreed to something.
 */
export function settingsFiles(cwd: string): string[] {
  const root = projectRoot(cwd);
  return [userFile(), ...[root, ...agreedAround(root)].flatMap(filesOf)];
}

const userFile = () => join(seamHome(), "settings.json");

function filesOf(root: string): string[] {
  const folder = join(root, PROJECT_DIR);
  const files = [join(folder, "settings.json"), join(folder, "settings.local.json")];
  // Where the home folder is a repository, its .seam is the user's.
  return isSeamHome(folder) ? [] : files;
}

/** What counts for all projects: the user's own file alone. */
export function loadUserSettings(): Settings {
  const loading = new Loading();
  loading.takeUser();
  return loading.settings;
}

/** What counts in a folder. */
export function loadSettings(cwd: string, options: LoadSettingsOptions = {}): LoadedSettings {
  const loading = new Loading();
  loading.takeUser();
  const root = projectRoot(cwd);
  const held = heldAgreements(root);
  for (const path of filesOf(root)) {
    loading.tryProject(path, held.get(keyOf(root, path)), options);
  }
  for (const around of agreedAround(root)) {
    const agreed = heldAgreements(around);
    for (const path of filesOf(around)) loading.tryAround(path, agreed.get(keyOf(around, path)));
  }
  return loading;
}

/** Whose word the keys of a file are. */
type Side = "user" | "trusted" | "untrusted";

class Loading implements LoadedSettings {
  readonly settings = defaultSettings();
  readonly listed = { user: noLists(), project: noLists() };
  readonly origins = new Map<SettingKey, string>();
  readonly asking: AskingFile[] = [];
  readonly problems: SeamError[] = [];

  takeUser(): void {
    const path = userFile();
    const text = this.#read(path);
    if (text !== undefined) this.#take(path, text, "user");
  }

  /** What a project's file does to Seam stays with that file. */
  tryProject(...given: Parameters<Loading["takeProject"]>): void {
    try {
      this.takeProject(...given);
    } catch (thrown) {
      this.#broken(given[0], inWords(thrown));
    }
  }

  /**
   * A project's file. One that changed, or is gone, since the user agreed to it stays in force as it
   * was; of what it says now only what tightens counts.
   */
  takeProject(
    path: string,
    held: readonly HeldAgreement[] | undefined,
    { asIfTrusted = false }: LoadSettingsOptions,
  ): void {
    const text = this.#read(path);
    const agreement = agreementTo(held, idAt(path, text));
    const isTrusted = text !== undefined && agreement?.id === idAt(path, text);
    const asks = text === undefined ? [] : asksOf(text);
    if (agreement) {
      const trust = isTrusted ? "trusted" : text === undefined ? "gone" : "changed";
      this.asking.push({ path, trust, asks, text });
    } else if (asks.length > 0) {
      this.asking.push({ path, trust: "new", asks, text });
    }
    if (isTrusted || (asIfTrusted && text !== undefined)) {
      this.#take(path, text, "trusted");
      return;
    }
    if (agreement && !asIfTrusted) this.#takeCopy(path, agreement, text === undefined);
    if (text !== undefined) this.#take(path, text, "untrusted", agreement !== undefined);
  }

  /** A file of a project around this one: here it only tightens, as it is and as the user agreed to it. */
  tryAround(path: string, held: readonly HeldAgreement[] | undefined): void {
    try {
      const text = this.#read(path);
      const agreement = agreementTo(held, idAt(path, text));
      const isChanged = agreement && agreement.id !== idAt(path, text);
      if (isChanged && faultOf(agreement.id) === undefined) {
        this.#take(path, readFileSync(pathInCopy(agreement.id, path), "utf8"), "untrusted", true);
      }
      if (text !== undefined) this.#take(path, text, "untrusted", true);
    } catch (thrown) {
      this.#broken(path, inWords(thrown));
    }
  }

  #takeCopy(path: string, { id }: HeldAgreement, isGone: boolean): void {
    const what = isGone ? "is gone" : "has changed";
    this.problems.push(new SeamError("SEAM_SETTINGS_CHANGED", { path, what }));
    const detail = faultOf(id);
    if (detail === undefined)
      this.#take(path, readFileSync(pathInCopy(id, path), "utf8"), "trusted");
    else this.problems.push(new SeamError("SEAM_TRUST_COPY", { path, detail }));
  }

  #read(path: string): string | undefined {
    try {
      return readRegularText(path, SMALL_FILE);
    } catch (thrown) {
      const code = systemCode(thrown);
      if (thrown instanceof SeamError) this.#broken(path, String(thrown.details.detail));
      else if (code === "EISDIR") this.#broken(path, "it is not a file");
      else if (code !== "ENOENT" && code !== "ENOTDIR") {
        const refused = refusal(thrown);
        if (refused) this.problems.push(refused);
        else this.#broken(path, inWords(thrown));
      }
      return undefined;
    }
  }

  #broken(path: string, detail: string): void {
    this.problems.push(new SeamError("SEAM_SETTINGS_SYNTAX", { path, detail }));
  }

  /** `quiet`: that the file waits for the user's agreement is said already. */
  #take(path: string, text: string, side: Side, quiet = false): void {
    const said = readSettingsText(text);
    if ("fault" in said) {
      this.#broken(path, said.fault);
      return;
    }
    for (const [key, value] of Object.entries(said.keys)) {
      const problem = problemOf(path, key, value);
      if (problem) this.problems.push(problem);
      else this.#takeKey(path, key as SettingKey, value as Settings[SettingKey], side, quiet);
    }
  }

  #takeKey<Key extends SettingKey>(
    path: string,
    key: Key,
    given: Settings[Key],
    side: Side,
    quiet: boolean,
  ): void {
    const { settings, origins } = this;
    const policy = POLICIES[key];
    const value = withPaths(path, key, given);
    const now = settings[key];
    if (side === "user") {
      settings[key] = policy.merge ? policy.merge(now, value) : value;
      this.#list(this.listed.user, key, value);
      origins.set(key, path);
      return;
    }
    const userSet = origins.get(key) === userFile();
    const why = policy.refuses?.(now, value, userSet);
    const trusts = side === "trusted" && policy.agreed !== undefined;
    if (why !== undefined && (trusts || !policy.agreed)) {
      this.problems.push(new SeamError("SEAM_SETTINGS_OWN", { path, key, detail: why }));
    }
    const agreed = trusts ? policy.agreed : policy.tighten;
    const after = agreed ? agreed(now, value, userSet) : now;
    if (trusts) this.#list(this.listed.project, key, value);
    else if (!quiet && policy.asks?.(value) !== undefined) {
      this.problems.push(new SeamError("SEAM_SETTINGS_UNTRUSTED", { path, key }));
    }
    if (JSON.stringify(after) === JSON.stringify(now)) return;
    settings[key] = after;
    origins.set(key, path);
  }

  #list(side: Listed, key: SettingKey, value: Settings[SettingKey]): void {
    if (isList(key) && Array.isArray(value)) side[key] = [...side[key], ...value];
  }
}

const LISTS: readonly SettingKey[] = [
  "extensions",
  "packages",
  "agents",
  "disabled",
] satisfies (keyof Listed)[];
const isList = (key: SettingKey): key is keyof Listed => LISTS.includes(key);
const noLists = (): Listed => ({ extensions: [], packages: [], agents: [], disabled: [] });

/** The id of a copy follows from what is in it: a damaged copy is not needed to tell. */
function idAt(path: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : idOf({ [path]: hashOf(text) });
}

/** What a file asks for that only the user can grant, in words. */
function asksOf(text: string): string[] {
  const said = readSettingsText(text);
  if ("fault" in said) return [];
  return SETTING_KEYS.flatMap((key) => {
    const value = said.keys[key];
    return Object.hasOwn(said.keys, key) ? (askOf(key, value) ?? []) : [];
  });
}

function askOf<Key extends SettingKey>(key: Key, value: unknown): string | undefined {
  if (mismatch(SettingsSchema.properties[key], value) !== undefined) return undefined;
  return POLICIES[key].asks?.(value as Settings[Key]);
}

function problemOf(path: string, key: string, value: unknown): SeamError | undefined {
  const known = SETTING_KEYS.find((one) => one === key);
  if (known === undefined) {
    const close = nearest(key, SETTING_KEYS);
    const hint = close ? `Did you mean "${close}"?` : "It is kept and ignored.";
    return new SeamError("SEAM_SETTINGS_UNKNOWN", { path, key, hint });
  }
  const schema = SettingsSchema.properties[known];
  const fault = mismatch(schema, value);
  if (fault === undefined) return undefined;
  const detail = strangerIn(schema, value) ?? fault;
  return new SeamError("SEAM_SETTINGS_VALUE", { path, key, detail });
}

/** What of a setting with parts is no part of it: what checks it says only that there is something. */
function strangerIn(schema: unknown, value: unknown, at = ""): string | undefined {
  if (!isRecord(schema) || !isRecord(schema.properties) || !isRecord(value)) return undefined;
  const parts = schema.properties;
  const known = Object.keys(parts);
  const stranger = Object.keys(value).find((name) => !known.includes(name));
  if (stranger === undefined || schema.additionalProperties !== false) {
    const inside = known.map((name) => strangerIn(parts[name], value[name], `${at}${name}.`));
    return inside.find((one) => one !== undefined);
  }
  const close = nearest(stranger, known);
  const hint = close === undefined ? `There are ${known.join(", ")}.` : `Did you mean "${close}"?`;
  return `"${at}${stranger}" is no part of it. ${hint}`;
}

/** Paths count from the folder of the project, or from the user's Seam folder. Names stay names. */
function withPaths<Key extends SettingKey>(
  path: string,
  key: Key,
  value: Settings[Key],
): Settings[Key] {
  if ((key !== "extensions" && key !== "packages" && key !== "agents") || !Array.isArray(value))
    return value;
  const base = path === userFile() ? dirname(path) : dirname(dirname(path));
  return value.map((entry: string) => absolute(base, entry, key)) as Settings[Key];
}

function absolute(base: string, entry: string, key: "extensions" | "packages" | "agents"): string {
  if (entry.startsWith("~/")) return join(homedir(), entry.slice(2));
  const isPath = key === "extensions" || entry.startsWith(".") || entry.startsWith("/");
  return isPath ? resolve(base, entry) : entry;
}
