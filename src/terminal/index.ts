export { type Component, CURSOR_MARKER, type Focusable, isFocusable } from "./component.ts";
export {
  getEditorTheme,
  getMarkdownTheme,
  getSelectListTheme,
  getSettingsListTheme,
} from "./component-themes.ts";
export { BorderedLoader } from "./components/bordered-loader.ts";
export { Box } from "./components/box.ts";
export { CancellableLoader } from "./components/cancellable-loader.ts";
export { Container } from "./components/container.ts";
export { DynamicBorder } from "./components/dynamic-border.ts";
export { Input } from "./components/input.ts";
export { Loader, type LoaderIndicatorOptions } from "./components/loader.ts";
export {
  type SelectItem,
  SelectList,
  type SelectListLayoutOptions,
  type SelectListTheme,
  type SelectListTruncatePrimaryContext,
} from "./components/select-list.ts";
export {
  type SettingItem,
  SettingsList,
  type SettingsListOptions,
  type SettingsListTheme,
} from "./components/settings-list.ts";
export { Spacer } from "./components/spacer.ts";
export { Text } from "./components/text.ts";
export { TruncatedText } from "./components/truncated-text.ts";
export { isAsciiLocale } from "./driver/ascii.ts";
export {
  ProcessTerminal,
  type ProcessTerminalOptions,
  suspendProcess,
} from "./driver/process-terminal.ts";
export { type Layout, TerminalScreen } from "./driver/terminal-screen.ts";
export type {
  AutocompleteItem,
  AutocompleteProvider,
  AutocompleteSuggestions,
} from "./editor/autocomplete-provider.ts";
export { CombinedAutocompleteProvider } from "./editor/combined-autocomplete.ts";
export { CustomEditor } from "./editor/custom-editor.ts";
export { Editor } from "./editor/editor.ts";
export type { EditorComponent, EditorOptions, EditorTheme } from "./editor/editor-component.ts";
export { type FuzzyMatch, fuzzyFilter, fuzzyMatch } from "./fuzzy.ts";
export {
  detectCapabilities,
  getCapabilities,
  resetCapabilitiesCache,
  setCapabilities,
  setCapabilityOverrides,
  type TerminalCapabilities,
} from "./images/capabilities.ts";
export {
  getGifDimensions,
  getImageDimensions,
  getJpegDimensions,
  getPngDimensions,
  getWebpDimensions,
  type ImageDimensions,
} from "./images/dimensions.ts";
export {
  allocateImageId,
  calculateImageRows,
  deleteAllKittyImages,
  deleteKittyImage,
  encodeITerm2,
  encodeKitty,
  getCellDimensions,
  hyperlink,
  imageFallback,
  renderImage,
  setCellDimensions,
} from "./images/encode.ts";
export { Image } from "./images/image.ts";
export { isKeybinding, type Keybinding } from "./keys/default-keys.ts";
export { isKeyId, Key, type KeyId } from "./keys/key-id.ts";
export { getKeybindings, KeybindingsManager, setKeybindings } from "./keys/keybindings.ts";
export { readKeybindings } from "./keys/keybindings-file.ts";
export { isKeyRelease, isKeyRepeat, matchesKey, parseKey } from "./keys/match.ts";
export { decodeKittyPrintable } from "./keys/printable.ts";
export { isKittyProtocolActive, setKittyProtocolActive } from "./keys/protocol.ts";
export { TUI_KEYBINDINGS } from "./keys/tui-keybindings.ts";
export { MouseRegion } from "./layout/mouse-region.ts";
export { ScrollView } from "./layout/scroll-view.ts";
export { HStack, VStack } from "./layout/stack.ts";
export { Markdown } from "./markdown/markdown.ts";
export type { DefaultTextStyle, MarkdownTheme } from "./markdown/markdown-theme.ts";
export {
  compositeTuiLine,
  getOsc8LinkAtColumn,
  sliceByColumn,
  stripTerminalSequences,
} from "./text/columns.ts";
export { safeOutput, safeText } from "./text/safe-text.ts";
export { truncateToWidth } from "./text/truncate.ts";
export { visibleWidth } from "./text/width.ts";
export { wrapTextWithAnsi } from "./text/wrap.ts";
export type { ThemeBg, ThemeColor } from "./theme/colors.ts";
export { keyHint, keyText, rawKeyHint } from "./theme/key-hints.ts";
export {
  parseOsc11BackgroundColor,
  parseTerminalColorSchemeReport,
} from "./theme/terminal-colors.ts";
export {
  builtinThemes,
  colorModeOf,
  defaultTheme,
  liveTheme,
  plainTheme,
  setDefaultTheme,
  Theme,
} from "./theme/theme.ts";
export { themeFromFile } from "./theme/theme-file.ts";
export type {
  InputListener,
  OverlayAnchor,
  OverlayHandle,
  OverlayMargin,
  OverlayOptions,
  SizeValue,
  Terminal,
  TUI,
} from "./tui.ts";
