import type { ColorValue, ThemeBg, ThemeColor } from "./colors.ts";

const TEAL = "#0f6b66";
const BLUE = "#2a5db0";
const GREEN = "#2f6f2f";
const RED = "#a8323a";
const AMBER = "#7a5600";
const VIOLET = "#6f42a0";
const GREY = "#5c6068";
const DIM = "#70757e";
const FAINT = "#b4b8c0";
const OWN = "";

export const LIGHT_FOREGROUND: Readonly<Record<ThemeColor, ColorValue>> = {
  accent: TEAL,
  border: BLUE,
  borderAccent: TEAL,
  borderMuted: FAINT,
  success: GREEN,
  error: RED,
  warning: AMBER,
  muted: GREY,
  dim: DIM,
  text: OWN,
  thinkingText: GREY,
  userMessageText: OWN,
  customMessageText: OWN,
  customMessageLabel: VIOLET,
  toolTitle: OWN,
  toolOutput: GREY,
  mdHeading: AMBER,
  mdLink: BLUE,
  mdLinkUrl: DIM,
  mdCode: TEAL,
  mdCodeBlock: GREEN,
  mdCodeBlockBorder: DIM,
  mdQuote: GREY,
  mdQuoteBorder: DIM,
  mdHr: DIM,
  mdListBullet: TEAL,
  toolDiffAdded: GREEN,
  toolDiffRemoved: RED,
  toolDiffContext: GREY,
  syntaxComment: DIM,
  syntaxKeyword: VIOLET,
  syntaxFunction: BLUE,
  syntaxVariable: "#24292f",
  syntaxString: GREEN,
  syntaxNumber: "#8a4b08",
  syntaxType: AMBER,
  syntaxOperator: "#3b4048",
  syntaxPunctuation: "#3b4048",
  thinkingOff: FAINT,
  thinkingMinimal: DIM,
  thinkingLow: "#4a719e",
  thinkingMedium: BLUE,
  thinkingHigh: VIOLET,
  thinkingXhigh: "#8a2fb0",
  bashMode: GREEN,
};

export const LIGHT_BACKGROUND: Readonly<Record<ThemeBg, ColorValue>> = {
  selectedBg: "#dfe4ee",
  userMessageBg: "#eceef2",
  customMessageBg: "#efeaf6",
  toolPendingBg: "#eceef4",
  toolSuccessBg: "#e8f1e8",
  toolErrorBg: "#f5e8e8",
};
