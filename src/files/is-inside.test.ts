import { expect, it } from "vitest";
import { isBelow, isInside } from "./is-inside.ts";

it.each([
  ["/a/b", "/a", true, true],
  ["/a/b/c", "/a", true, true],
  ["/a", "/a", false, true],
  ["/ab", "/a", false, false],
  ["/", "/a", false, false],
  ["/a", "/", true, true],
  ["/a/b", "/a/", true, true],
])("%s and the folder %s: below %s, inside %s", (path, folder, below, inside) => {
  expect([isBelow(path, folder), isInside(path, folder)]).toEqual([below, inside]);
});
