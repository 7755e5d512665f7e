import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { SeamError } from "../../errors/index.ts";
import type { ColorMode, ColorValue } from "./colors.ts";
import { DARK_BACKGROUND, DARK_FOREGROUND } from "./dark-palette.ts";
import { LIGHT_BACKGROUND, LIGHT_FOREGROUND } from "./light-palette.ts";
import { Theme } from "./theme.ts";

const Color = Type.Union([Type.String(), Type.Integer({ minimum: 0, maximum: 255 })]);
const FileSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  vars: Type.Optional(Type.Record(Type.String(), Color)),
  colors: Type.Record(Type.String(), Color),
});

type ThemeFile = Static<typeof FileSchema>;

const LONGEST_CHAIN = 10;

/**
 * A theme from the text of one of Pi's theme files. What the file does not name is as in the theme
 * that comes with Seam. Throws SEAM_THEME_FILE, which says what is wrong with it.
 */
export function themeFromFile(text: string, path: string, mode: ColorMode): Theme {
  const wrong = (detail: string) => new SeamError("SEAM_THEME_FILE", { path, detail });
  const file = parse(text, wrong);
  const value = (name: string, otherwise: ColorValue): ColorValue => {
    const given = file.colors[name];
    return given === undefined ? otherwise : resolve(given, file, name, wrong);
  };
  const base = isLightFile(file, wrong)
    ? { fg: LIGHT_FOREGROUND, bg: LIGHT_BACKGROUND }
    : { fg: DARK_FOREGROUND, bg: DARK_BACKGROUND };
  const filled = <Name extends string>(palette: Readonly<Record<Name, ColorValue>>) =>
    Object.fromEntries(
      Object.entries<ColorValue>(palette).map(([name, own]) => [name, value(name, own)]),
    ) as Record<Name, ColorValue>;
  return new Theme(filled(base.fg), filled(base.bg), mode, { name: file.name, sourcePath: path });
}

function parse(text: string, wrong: (detail: string) => SeamError): ThemeFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw wrong(thrown instanceof Error ? thrown.message : "it is no JSON");
  }
  if (Value.Check(FileSchema, value)) return value;
  const [first] = Value.Errors(FileSchema, value);
  throw wrong(`${first?.instancePath || "the file"} ${first?.message ?? "is not as expected"}`);
}

/** A colour may be the name of a variable, which may be the name of another one. */
function resolve(
  given: ColorValue,
  { vars = {} }: ThemeFile,
  name: string,
  wrong: (detail: string) => SeamError,
): ColorValue {
  let value = given;
  for (let step = 0; step < LONGEST_CHAIN; step++) {
    if (typeof value === "number" || value === "" || value.startsWith("#")) break;
    const next: ColorValue | undefined = vars[value];
    if (next === undefined) throw wrong(`"${name}" names "${value}", which is not in "vars"`);
    value = next;
  }
  if (typeof value === "string" && value !== "" && !/^#[0-9a-f]{6}$/i.test(value)) {
    throw wrong(`"${name}" is "${value}": colours are written as "#rrggbb" or 0 to 255`);
  }
  return value;
}

/** The background of the user's messages shows whether a theme is dark or light. */
function isLightFile(file: ThemeFile, wrong: (detail: string) => SeamError): boolean {
  const given = file.colors.userMessageBg ?? "";
  const value = resolve(given, file, "userMessageBg", wrong);
  const hex = typeof value === "string" ? /^#(..)(..)(..)$/.exec(value) : null;
  if (!hex) return /light/i.test(file.name);
  return hex.slice(1).reduce((sum, part) => sum + Number.parseInt(part, 16), 0) > 3 * 128;
}
