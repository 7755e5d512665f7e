import {
  type ColorMode,
  type ColorValue,
  colorCode,
  type ThemeBg,
  type ThemeColor,
} from "./colors.ts";
import { DARK_BACKGROUND, DARK_FOREGROUND } from "./dark-palette.ts";
import { LIGHT_BACKGROUND, LIGHT_FOREGROUND } from "./light-palette.ts";

const ESC = "\u001b";
type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh";

const THINKING_COLORS: Readonly<Record<ThinkingLevel, ThemeColor>> = {
  off: "thinkingOff",
  minimal: "thinkingMinimal",
  low: "thinkingLow",
  medium: "thinkingMedium",
  high: "thinkingHigh",
  xhigh: "thinkingXhigh",
};

interface ThemeOptions {
  name?: string;
  sourcePath?: string;
  /** Write no codes at all: every method returns its text as it is. */
  plain?: boolean;
}

/** Colours by purpose instead of by hue, so that a component looks right in every theme. */
export class Theme {
  readonly name?: string;
  readonly sourcePath?: string;
  readonly #foreground: ReadonlyMap<string, ColorValue>;
  readonly #background: ReadonlyMap<string, ColorValue>;
  readonly #mode: ColorMode;
  readonly #plain: boolean;

  constructor(
    fgColors: Readonly<Record<ThemeColor, ColorValue>>,
    bgColors: Readonly<Record<ThemeBg, ColorValue>>,
    mode: ColorMode,
    options: ThemeOptions = {},
  ) {
    this.#foreground = new Map(Object.entries(fgColors));
    this.#background = new Map(Object.entries(bgColors));
    this.#mode = mode;
    this.#plain = options.plain ?? false;
    if (options.name !== undefined) this.name = options.name;
    if (options.sourcePath !== undefined) this.sourcePath = options.sourcePath;
  }

  fg(color: ThemeColor, text: string): string {
    return this.#wrap(this.getFgAnsi(color), text, 39);
  }

  bg(color: ThemeBg, text: string): string {
    return this.#wrap(this.getBgAnsi(color), text, 49);
  }

  bold(text: string): string {
    return this.#wrap(`${ESC}[1m`, text, 22);
  }

  italic(text: string): string {
    return this.#wrap(`${ESC}[3m`, text, 23);
  }

  underline(text: string): string {
    return this.#wrap(`${ESC}[4m`, text, 24);
  }

  inverse(text: string): string {
    return this.#wrap(`${ESC}[7m`, text, 27);
  }

  strikethrough(text: string): string {
    return this.#wrap(`${ESC}[9m`, text, 29);
  }

  /** The code that switches a colour on. A name this theme does not know is the terminal's own. */
  getFgAnsi(color: ThemeColor): string {
    return this.#code(38, this.#foreground.get(color) ?? "");
  }

  getBgAnsi(color: ThemeBg): string {
    return this.#code(48, this.#background.get(color) ?? "");
  }

  getColorMode(): ColorMode {
    return this.#mode;
  }

  getThinkingBorderColor(level: ThinkingLevel): (text: string) => string {
    const color = THINKING_COLORS[level] ?? "thinkingOff";
    return (text) => this.fg(color, text);
  }

  getBashModeBorderColor(): (text: string) => string {
    return (text) => this.fg("bashMode", text);
  }

  #code(target: 38 | 48, value: ColorValue): string {
    if (this.#plain) return "";
    const code = colorCode(value, this.#mode);
    return code === undefined ? `${ESC}[${target + 1}m` : `${ESC}[${target};${code}m`;
  }

  #wrap(open: string, text: string, off: number): string {
    return this.#plain ? text : `${open}${text}${ESC}[${off}m`;
  }
}

/** The colours a terminal can show, as far as its environment tells. */
export function colorModeOf(env: NodeJS.ProcessEnv): ColorMode {
  if (/truecolor|24bit/i.test(env.COLORTERM ?? "")) return "truecolor";
  return /-direct$|kitty|ghostty|wezterm|alacritty/.test(env.TERM ?? "") ? "truecolor" : "256color";
}

/** The themes that come with Seam. */
export function builtinThemes(mode: ColorMode): Theme[] {
  return [
    new Theme(DARK_FOREGROUND, DARK_BACKGROUND, mode, { name: "dark" }),
    new Theme(LIGHT_FOREGROUND, LIGHT_BACKGROUND, mode, { name: "light" }),
  ];
}

const plain = new Theme(DARK_FOREGROUND, DARK_BACKGROUND, "truecolor", {
  name: "plain",
  plain: true,
});

let current = new Theme(DARK_FOREGROUND, DARK_BACKGROUND, "truecolor", { name: "dark" });

/** What the user chose; dark, and independent of any terminal, where nobody chose. */
export function defaultTheme(): Theme {
  return current;
}

/** From now on components that were not given a theme of their own are drawn with this one. */
export function setDefaultTheme(theme: Theme): void {
  current = theme;
}

/** A theme without codes, for logs, pipes and tests. */
export function plainTheme(): Theme {
  return plain;
}

/** A theme that is always the one the user chose: for components that are there before and after. */
export function liveTheme(): Theme {
  return new Proxy(current, {
    get(_, key) {
      const value: unknown = Reflect.get(current, key, current);
      return typeof value === "function" ? value.bind(current) : value;
    },
  });
}
