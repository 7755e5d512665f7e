import { expect, it } from "vitest";
import { ago, bytes, countdown, duration, moment, money, pathFrom, short } from "./format.ts";

it("says durations in the units people use", () => {
  expect([4, 60, 140, 11_200, 59_960, 200_000, 3_900_000].map(duration)).toEqual([
    "4 ms",
    "60 ms",
    "0.1 s",
    "11.2 s",
    "1 min",
    "3 min 20 s",
    "1 h 5 min",
  ]);
});

it("says how long ago something was in one unit", () => {
  expect([0, 14_000, 125_000, 7_200_000, 200_000_000].map(ago)).toEqual([
    "now",
    "14 s",
    "2 min",
    "2 h",
    "2 d",
  ]);
});

it("counts down to nothing and not further", () => {
  expect([526_000, 3_723_000, 0, -5].map(countdown)).toEqual(["8:46", "1:02:03", "0:00", "0:00"]);
});

it("shortens numbers and sizes", () => {
  expect([999, 3961, 412_880, 999_600, 2_500_000].map(short)).toEqual([
    "999",
    "4.0 k",
    "413 k",
    "1.0 M",
    "2.5 M",
  ]);
  expect([12, 4096, 999_999, 734_003_200].map(bytes)).toEqual([
    "12 B",
    "4.1 kB",
    "1.0 MB",
    "734 MB",
  ]);
});

it("does not call a small cost nothing", () => {
  expect([0, 0.004, 0.31, 1234.5].map(money)).toEqual(["$0.00", "< $0.01", "$0.31", "$1,234.50"]);
});

it("leaves the date out of a moment of today, and shows nothing for a broken one", () => {
  const now = new Date(2026, 10, 17, 12).getTime();
  expect(moment(new Date(2026, 10, 17, 9, 41).toISOString(), now)).toBe("09:41");
  expect(moment(new Date(2026, 10, 12, 9, 41).toISOString(), now)).toBe("12 Nov, 09:41");
  expect(moment(new Date(2025, 0, 2, 9, 41).toISOString(), now)).toBe("2 Jan 2025, 09:41");
  expect(moment("yesterday", now)).toBe("");
});

it("names a path below a folder without it, and every other one whole", () => {
  expect(pathFrom("/home/dev/app", "/home/dev/app/src/a.ts")).toBe("src/a.ts");
  expect(pathFrom("/home/dev/app/", "/home/dev/app/src/a.ts")).toBe("src/a.ts");
  expect(pathFrom("/home/dev/app", "/home/dev/apple/a.ts")).toBe("/home/dev/apple/a.ts");
  expect(pathFrom("/home/dev/app", "npm test")).toBe("npm test");
  expect(pathFrom(undefined, "/a")).toBe("/a");
});
