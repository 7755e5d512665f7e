import { extname } from "node:path";
import hljs from "highlight.js/lib/common";
import { defaultTheme, type ThemeColor } from "../../../terminal/index.ts";
import { FILE_LANGUAGES } from "./file-languages.ts";

/** What highlight.js calls a piece of code, and the colour that a theme has for it. */
const COLORS: Readonly<Record<string, ThemeColor>> = {
  keyword: "syntaxKeyword",
  built_in: "syntaxType",
  type: "syntaxType",
  literal: "syntaxNumber",
  number: "syntaxNumber",
  string: "syntaxString",
  regexp: "syntaxString",
  comment: "syntaxComment",
  doctag: "syntaxComment",
  title: "syntaxFunction",
  function: "syntaxFunction",
  name: "syntaxFunction",
  variable: "syntaxVariable",
  attr: "syntaxVariable",
  attribute: "syntaxVariable",
  property: "syntaxVariable",
  params: "syntaxVariable",
  operator: "syntaxOperator",
  punctuation: "syntaxPunctuation",
};

/** The lines of a code in colour; as they are if the language is not known. */
export function highlightCode(code: string, language?: string): string[] {
  const known = language !== undefined && hljs.getLanguage(language) !== undefined;
  if (!known) return code.split("\n");
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  return coloured(value).split("\n");
}

const SIGNS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** Takes the markup of highlight.js apart: nested spans colour what is inside of them. */
function coloured(markup: string): string {
  const theme = defaultTheme();
  const open: (ThemeColor | undefined)[] = [];
  return markup.replace(/<span class="([^"]*)">|<\/span>|([^<]+)/g, (_, kind, text) => {
    if (typeof text === "string") {
      const plain = text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (sign) => SIGNS[sign] ?? sign);
      const color = open.findLast((one) => one !== undefined);
      if (!color) return plain;
      return plain
        .split("\n")
        .map((line) => (line === "" ? "" : theme.fg(color, line)))
        .join("\n");
    }
    if (typeof kind === "string") open.push(COLORS[kind.replace(/^hljs-/, "").split(" ")[0] ?? ""]);
    else open.pop();
    return "";
  });
}

/** The language of a file, by its name. */
export function getLanguageFromPath(path: string): string | undefined {
  const name = path.split(/[\\/]/).at(-1)?.toLowerCase() ?? "";
  const ending = extname(name).slice(1) || name;
  return FILE_LANGUAGES[ending] ?? (hljs.getLanguage(ending) ? ending : undefined);
}
