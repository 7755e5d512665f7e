/** What a theme gives a text colour to. */
export type ThemeColor =
  | "accent"
  | "border"
  | "borderAccent"
  | "borderMuted"
  | "success"
  | "error"
  | "warning"
  | "muted"
  | "dim"
  | "text"
  | "thinkingText"
  | "userMessageText"
  | "customMessageText"
  | "customMessageLabel"
  | "toolTitle"
  | "toolOutput"
  | "mdHeading"
  | "mdLink"
  | "mdLinkUrl"
  | "mdCode"
  | "mdCodeBlock"
  | "mdCodeBlockBorder"
  | "mdQuote"
  | "mdQuoteBorder"
  | "mdHr"
  | "mdListBullet"
  | "toolDiffAdded"
  | "toolDiffRemoved"
  | "toolDiffContext"
  | "syntaxComment"
  | "syntaxKeyword"
  | "syntaxFunction"
  | "syntaxVariable"
  | "syntaxString"
  | "syntaxNumber"
  | "syntaxType"
  | "syntaxOperator"
  | "syntaxPunctuation"
  | "thinkingOff"
  | "thinkingMinimal"
  | "thinkingLow"
  | "thinkingMedium"
  | "thinkingHigh"
  | "thinkingXhigh"
  | "bashMode";

/** What a theme gives a background to. */
export type ThemeBg =
  | "selectedBg"
  | "userMessageBg"
  | "customMessageBg"
  | "toolPendingBg"
  | "toolSuccessBg"
  | "toolErrorBg";

/** `"#rrggbb"`, the number of one of the 256 colours, or `""` for the terminal's own. */
export type ColorValue = string | number;

export type ColorMode = "truecolor" | "256color";

const CUBE_STEPS = [0, 95, 135, 175, 215, 255];

/** The part of an SGR code after `38` or `48`, or undefined for the terminal's own colour. */
export function colorCode(value: ColorValue, mode: ColorMode): string | undefined {
  if (typeof value === "number") return `5;${value}`;
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(value);
  if (!hex) return undefined;
  const rgb = hex.slice(1).map((part) => Number.parseInt(part, 16));
  return mode === "truecolor" ? `2;${rgb.join(";")}` : `5;${nearestOf256(rgb)}`;
}

/** The colour cube has few greys of its own, so a grey is looked up on the ramp made for it. */
function nearestOf256(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb;
  if (Math.max(...rgb) - Math.min(...rgb) < 8) {
    return 232 + Math.min(23, Math.max(0, Math.round((red - 8) / 10)));
  }
  const [r = 0, g = 0, b = 0] = [red, green, blue].map(nearestStep);
  return 16 + 36 * r + 6 * g + b;
}

function nearestStep(value: number): number {
  const distances = CUBE_STEPS.map((step) => Math.abs(step - value));
  return distances.indexOf(Math.min(...distances));
}
