import type { SelectListTheme } from "./components/select-list.ts";
import type { SettingsListTheme } from "./components/settings-list.ts";
import type { EditorTheme } from "./editor/editor-component.ts";
import type { MarkdownTheme } from "./markdown/markdown-theme.ts";
import { defaultTheme, type Theme } from "./theme/theme.ts";

export function getMarkdownTheme(theme: Theme = defaultTheme()): MarkdownTheme {
  return {
    heading: (text) => theme.fg("mdHeading", text),
    link: (text) => theme.fg("mdLink", text),
    linkUrl: (text) => theme.fg("mdLinkUrl", text),
    code: (text) => theme.fg("mdCode", text),
    codeBlock: (text) => theme.fg("mdCodeBlock", text),
    codeBlockBorder: (text) => theme.fg("mdCodeBlockBorder", text),
    quote: (text) => theme.fg("mdQuote", text),
    quoteBorder: (text) => theme.fg("mdQuoteBorder", text),
    hr: (text) => theme.fg("mdHr", text),
    listBullet: (text) => theme.fg("mdListBullet", text),
    bold: (text) => theme.bold(text),
    italic: (text) => theme.italic(text),
    strikethrough: (text) => theme.strikethrough(text),
    underline: (text) => theme.underline(text),
  };
}

export function getSelectListTheme(theme: Theme = defaultTheme()): SelectListTheme {
  return {
    selectedPrefix: (text) => theme.fg("accent", text),
    selectedText: (text) => theme.fg("accent", text),
    description: (text) => theme.fg("muted", text),
    scrollInfo: (text) => theme.fg("muted", text),
    noMatch: (text) => theme.fg("muted", text),
  };
}

export function getSettingsListTheme(theme: Theme = defaultTheme()): SettingsListTheme {
  return {
    label: (text, selected) => (selected ? theme.fg("accent", text) : text),
    value: (text, selected) => theme.fg(selected ? "accent" : "muted", text),
    description: (text) => theme.fg("dim", text),
    cursor: theme.fg("accent", "→ "),
    hint: (text) => theme.fg("dim", text),
  };
}

export function getEditorTheme(theme: Theme = defaultTheme()): EditorTheme {
  return {
    borderColor: (text) => theme.fg("borderMuted", text),
    selectList: getSelectListTheme(theme),
  };
}
