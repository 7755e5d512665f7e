import { expect, test } from "vitest";
import { visibleWidth } from "../text/width.ts";
import { DARK_BACKGROUND, DARK_FOREGROUND } from "./dark-palette.ts";
import { defaultTheme, plainTheme, Theme } from "./theme.ts";

test("a colour ends with its own code, so that it can stand inside a background", () => {
  const theme = new Theme({ ...DARK_FOREGROUND, accent: "#ff0080" }, DARK_BACKGROUND, "truecolor");
  expect(theme.fg("accent", "x")).toBe("\u001b[38;2;255;0;128mx\u001b[39m");
  expect(theme.bold("x")).toBe("\u001b[1mx\u001b[22m");
  expect(theme.getFgAnsi("text")).toBe("\u001b[39m");
});

test("with 256 colours the nearest one is taken; greys come from their own ramp", () => {
  const colors = { ...DARK_FOREGROUND, accent: "#ff0080", dim: "#808080", error: 9 };
  const theme = new Theme(colors, DARK_BACKGROUND, "256color");
  expect(theme.getFgAnsi("accent")).toBe("\u001b[38;5;198m");
  expect(theme.getFgAnsi("dim")).toBe("\u001b[38;5;244m");
  expect(theme.getFgAnsi("error")).toBe("\u001b[38;5;9m");
  expect(theme.getColorMode()).toBe("256color");
});

test("the default theme needs no terminal and colours what it is told to", () => {
  const theme = defaultTheme();
  expect(theme.fg("error", "no")).not.toBe("no");
  expect(visibleWidth(theme.bg("selectedBg", theme.fg("error", "no")))).toBe(2);
  expect(theme.getThinkingBorderColor("high")("x")).toBe(theme.fg("thinkingHigh", "x"));
  expect(theme.getBashModeBorderColor()("x")).toBe(theme.fg("bashMode", "x"));
});

test("the plain theme writes no codes", () => {
  const theme = plainTheme();
  const all = [
    theme.fg("accent", "x"),
    theme.bg("toolErrorBg", "x"),
    theme.bold("x"),
    theme.italic("x"),
    theme.underline("x"),
    theme.inverse("x"),
    theme.strikethrough("x"),
    theme.getThinkingBorderColor("low")("x"),
    `${theme.getFgAnsi("accent")}${theme.getBgAnsi("selectedBg")}x`,
  ];
  expect(new Set(all)).toEqual(new Set(["x"]));
});
