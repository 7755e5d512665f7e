import { randomUUID } from "node:crypto";
import { messageOf } from "../../../errors/index.ts";
import { loadSettings, seamHome } from "../../../settings/index.ts";
import { isRecord } from "../../../values/index.ts";
import { OF_PROJECT, PI_SETTINGS } from "./pi-settings.ts";
import {
  FileSettingsStorage,
  InMemorySettingsStorage,
  type SettingsScope,
  type SettingsStorage,
} from "./settings-storage.ts";

type Values = Record<string, unknown>;
type Model = { readonly provider: string; readonly id: string };

interface CreateOptions {
  /** What a project says counts only then. */
  readonly projectTrusted?: boolean;
}

/**
 * Pi's settings. What Seam has a setting for, such as when to compact, is Seam's unless an extension
 * set it here; the rest is kept in a file of its own. The getters and setters by name come from a
 * table, below.
 */
export class SettingsManager {
  readonly #storage: SettingsStorage;
  readonly #underneath: () => Values;
  readonly #errors: { scope: SettingsScope; error: Error }[] = [];
  readonly #values: Record<SettingsScope, Values> = { global: {}, project: {} };
  #overrides: Values = {};
  #projectTrusted: boolean;

  private constructor(storage: SettingsStorage, underneath: () => Values, options: CreateOptions) {
    this.#storage = storage;
    this.#underneath = underneath;
    this.#projectTrusted = options.projectTrusted ?? true;
    this.#read();
  }

  static create(cwd: string, agentDir = seamHome(), options: CreateOptions = {}): SettingsManager {
    const own = () => {
      const { compaction, retry } = loadSettings(cwd).settings;
      return { compaction: { ...compaction }, retry: { ...retry } };
    };
    return new SettingsManager(new FileSettingsStorage(cwd, agentDir), own, options);
  }

  static fromStorage(storage: SettingsStorage, options: CreateOptions = {}): SettingsManager {
    return new SettingsManager(storage, () => ({}), options);
  }

  static inMemory(settings: Values = {}, options: CreateOptions = {}): SettingsManager {
    const storage = new InMemorySettingsStorage();
    storage.withLock("global", () => JSON.stringify(settings));
    return SettingsManager.fromStorage(storage, options);
  }

  getSettings(): Values {
    const project = this.#projectTrusted ? this.#values.project : {};
    return [this.#underneath(), this.#values.global, project, this.#overrides].reduce(merged, {});
  }
  getGlobalSettings = () => structuredClone(this.#values.global);
  getProjectSettings = () => structuredClone(this.#values.project);
  isProjectTrusted = () => this.#projectTrusted;
  setProjectTrusted(trusted: boolean): void {
    this.#projectTrusted = trusted;
  }
  applyOverrides(overrides: Values): void {
    this.#overrides = merged(this.#overrides, overrides);
  }
  async reload(): Promise<void> {
    this.#read();
  }
  /** Everything is on disk when the method that sets it returns. */
  async flush(): Promise<void> {}
  drainErrors = () => this.#errors.splice(0);

  getCompactionSettings(_model?: Model) {
    return {
      enabled: this.value("CompactionEnabled"),
      reserveTokens: this.value("CompactionReserveTokens"),
      keepRecentTokens: this.value("CompactionKeepRecentTokens"),
    };
  }
  getBranchSummarySettings() {
    const reserveTokens = at(this.getSettings(), "branchSummary.reserveTokens") ?? 16_384;
    return { reserveTokens, skipPrompt: this.value("BranchSummarySkipPrompt") };
  }
  getRetrySettings() {
    const settings = this.getSettings();
    const maxDelayMs =
      at(settings, "retry.maxAgentDelayMs") ?? at(settings, "retry.maxDelayMs") ?? 60_000;
    return {
      enabled: this.value("RetryEnabled"),
      maxRetries: at(settings, "retry.maxRetries") ?? 3,
      baseDelayMs: at(settings, "retry.baseDelayMs") ?? 2_000,
      maxAgentDelayMs: maxDelayMs,
      maxDelayMs,
    };
  }
  getProviderRetrySettings() {
    const provider = at(this.getSettings(), "retry.provider");
    return { maxRetryDelayMs: 60_000, ...(isRecord(provider) && provider) };
  }
  getExternalEditorCommand(): unknown {
    const { VISUAL, EDITOR } = process.env;
    return at(this.getSettings(), "externalEditor") ?? VISUAL ?? EDITOR ?? "vi";
  }
  getExtensionChangelogVersion = (key: string) => this.#byKey("extensionChangelogVersions")[key];
  setExtensionChangelogVersion(key: string, version: string): void {
    this.#keep("extensionChangelogVersions", key, version);
  }
  getAllModelThinkingLevels = () => this.#byKey("modelThinkingLevels");
  getModelThinkingLevel = (provider: string, id: string) =>
    this.#byKey("modelThinkingLevels")[`${provider}/${id}`];
  setModelThinkingLevel(provider: string, id: string, level: string): void {
    this.#keep("modelThinkingLevels", `${provider}/${id}`, level);
  }
  removeModelThinkingLevel(provider: string, id: string): void {
    this.#keep("modelThinkingLevels", `${provider}/${id}`, undefined);
  }
  setDefaultModelAndProvider(provider: string, modelId: string): void {
    this.put("global", "defaultProvider", provider);
    this.put("global", "defaultModel", modelId);
  }
  /** A number for this installation. It stays on this machine. */
  getOrCreateDeviceId(): string {
    const known = at(this.#values.global, "deviceId");
    if (typeof known === "string") return known;
    const deviceId = randomUUID();
    this.put("global", "deviceId", deviceId);
    return deviceId;
  }

  /** The value of a setting by the name its methods have. */
  value(name: string): unknown {
    const [path = "", byDefault] = PI_SETTINGS[name] ?? [];
    return at(this.getSettings(), path) ?? structuredClone(byDefault);
  }

  put(scope: SettingsScope, path: string, value: unknown): void {
    if (scope === "project" && !this.#projectTrusted) {
      throw new Error("The project is not trusted, so its settings cannot be changed.");
    }
    try {
      this.#storage.withLock(
        scope,
        (text) => `${JSON.stringify(withValue(parsed(text), path.split("."), value), null, 2)}\n`,
      );
    } catch (thrown) {
      this.#errors.push({ scope, error: new Error(messageOf(thrown), { cause: thrown }) });
    }
    this.#values[scope] = withValue(this.#values[scope], path.split("."), value);
  }

  #byKey(path: string): Values {
    const value = at(this.getSettings(), path);
    return isRecord(value) ? { ...value } : {};
  }

  #keep(path: string, key: string, value: unknown): void {
    this.put("global", path, withValue(this.#byKey(path), [key], value));
  }

  #read(): void {
    for (const scope of ["global", "project"] as const) {
      try {
        this.#storage.withLock(scope, (text) => {
          this.#values[scope] = parsed(text);
          return undefined;
        });
      } catch (thrown) {
        this.#errors.push({ scope, error: new Error(messageOf(thrown), { cause: thrown }) });
      }
    }
  }
}

for (const [name, [path]] of Object.entries(PI_SETTINGS)) {
  add(`get${name}`, (manager) => manager.value(name));
  add(`set${name}`, (manager, value) => manager.put("global", path, value));
  if (OF_PROJECT.includes(name)) {
    add(`setProject${name}`, (manager, value) => manager.put("project", path, value));
  }
}

function add(name: string, method: (manager: SettingsManager, value: unknown) => unknown): void {
  if (name in SettingsManager.prototype) return;
  Object.defineProperty(SettingsManager.prototype, name, {
    configurable: true,
    writable: true,
    value: function (this: SettingsManager, value: unknown) {
      return method(this, value);
    },
  });
}

function at(values: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), values);
}

function withValue(values: Values, [key = "", ...rest]: readonly string[], value: unknown): Values {
  const inner = isRecord(values[key]) ? values[key] : {};
  const { [key]: _, ...others } = values;
  const next = rest.length > 0 ? withValue({ ...inner }, rest, value) : value;
  return next === undefined ? others : { ...others, [key]: next };
}

function merged(under: Values, over: Values): Values {
  const result = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    result[key] = isRecord(value) && isRecord(below) ? merged({ ...below }, { ...value }) : value;
  }
  return result;
}

function parsed(text: string | undefined): Values {
  const value: unknown = text === undefined || text.trim() === "" ? {} : JSON.parse(text);
  return isRecord(value) ? { ...value } : {};
}
