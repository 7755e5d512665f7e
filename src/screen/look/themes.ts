import { type FSWatcher, readdirSync, readFileSync, statSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { explain } from "../../errors/index.ts";
import {
  builtinThemes,
  colorModeOf,
  defaultTheme,
  plainTheme,
  setDefaultTheme,
  type Theme,
  themeFromFile,
} from "../../terminal/index.ts";

export interface ThemesOptions {
  /** Folders and files with themes; a later one of the same name takes the place of an earlier one. */
  readonly paths: () => readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly onChange: () => void;
  readonly onProblem: (text: string) => void;
}

const SETTLE_MS = 100;

/** The themes there are, and the one in use. A theme that is edited changes the screen at once. */
export class Themes {
  readonly #options: ThemesOptions;
  #watcher: FSWatcher | undefined;
  #isChosen = false;

  constructor(options: ThemesOptions) {
    this.#options = options;
    const [first = plainTheme()] = builtinThemes(colorModeOf(options.env));
    setDefaultTheme(this.#isPlain ? plainTheme() : first);
  }

  get #isPlain(): boolean {
    const { env } = this.#options;
    return (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb";
  }

  list(): Theme[] {
    const mode = colorModeOf(this.#options.env);
    const found = new Map(builtinThemes(mode).map((theme) => [theme.name ?? "", theme]));
    for (const file of this.#options.paths().flatMap(filesIn)) {
      try {
        const theme = themeFromFile(readFileSync(file, "utf8"), file, mode);
        found.set(theme.name ?? "", theme);
      } catch (thrown) {
        this.#options.onProblem(explain(thrown));
      }
    }
    return [...found.values()];
  }

  named(name: string): Theme | undefined {
    return this.list().find((theme) => theme.name === name);
  }

  use(wanted: string | Theme): { success: boolean; error?: string } {
    const theme = typeof wanted === "string" ? this.named(wanted) : wanted;
    if (!theme) return { success: false, error: `There is no theme "${String(wanted)}".` };
    this.#isChosen = true;
    if (!this.#isPlain) {
      setDefaultTheme(theme);
      this.#watch(theme);
      this.#options.onChange();
    }
    return { success: true };
  }

  /** The terminal told its background: the theme that fits it, unless the user chose one. */
  suit(isLight: boolean): void {
    if (this.#isChosen) return;
    this.use(isLight ? "light" : "dark");
    this.#isChosen = false;
  }

  close(): void {
    this.#watcher?.close();
  }

  #watch({ sourcePath, name }: Theme): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    if (sourcePath === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const read = () => {
      try {
        const mode = defaultTheme().getColorMode();
        setDefaultTheme(themeFromFile(readFileSync(sourcePath, "utf8"), sourcePath, mode));
        this.#options.onChange();
      } catch (thrown) {
        // The theme as it was stays in use until the file can be used again.
        this.#options.onProblem(explain(thrown));
      }
    };
    try {
      // The folder: editors replace files.
      this.#watcher = watch(dirname(sourcePath), { persistent: false }, (_, file) => {
        if (file === null || !sourcePath.endsWith(file)) return;
        clearTimeout(timer);
        timer = setTimeout(read, SETTLE_MS);
        timer.unref();
      });
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      this.#options.onProblem(`The theme ${name} is not read again when it changes.`);
    }
  }
}

function filesIn(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isFile()) return [path];
  return readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(path, name));
}
