import type { ColorValue, ThemeBg, ThemeColor } from "./colors.ts";

const TEAL = "#7fc8b8";
const BLUE = "#6c9eea";
const GREEN = "#98c379";
const RED = "#e06c75";
const AMBER = "#e5c07b";
const VIOLET = "#b48ead";
const GREY = "#8a8f98";
const DIM = "#6b7079";
const FAINT = "#4b5059";
const OWN = "";

export const DARK_FOREGROUND: Readonly<Record<ThemeColor, ColorValue>> = {
  accent: TEAL,
  border: BLUE,
  borderAccent: "#56c8e8",
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
  syntaxVariable: "#d7dae0",
  syntaxString: GREEN,
  syntaxNumber: "#d19a66",
  syntaxType: AMBER,
  syntaxOperator: "#abb2bf",
  syntaxPunctuation: "#abb2bf",
  thinkingOff: FAINT,
  thinkingMinimal: DIM,
  thinkingLow: "#5b84b1",
  thinkingMedium: BLUE,
  thinkingHigh: VIOLET,
  thinkingXhigh: "#c678dd",
  bashMode: GREEN,
};

export const DARK_BACKGROUND: Readonly<Record<ThemeBg, ColorValue>> = {
  selectedBg: "#2f3542",
  userMessageBg: "#2c313a",
  customMessageBg: "#2d2a38",
  toolPendingBg: "#262a33",
  toolSuccessBg: "#25302a",
  toolErrorBg: "#3a282c",
};
