import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { Key, type KeyId } from "./key-id.ts";
import { isKeyRelease, isKeyRepeat, matchesKey, parseKey } from "./match.ts";
import { setKittyProtocolActive } from "./protocol.ts";

const E = "\u001b";

afterEach(() => setKittyProtocolActive(false));

describe("keys of old terminals", () => {
  const cases: [string, KeyId, string][] = [
    ["a", "a", "a"],
    ["?", "?", "?"],
    ["+", "+", "+"],
    [" ", "space", "space"],
    ["\r", "enter", "enter"],
    ["\n", "enter", "enter"],
    ["\t", "tab", "tab"],
    ["\u007f", "backspace", "backspace"],
    ["\b", "backspace", "backspace"],
    ["\u0003", "ctrl+c", "ctrl+c"],
    ["\u0000", "ctrl+space", "ctrl+space"],
    ["\u001f", "ctrl+-", "ctrl+-"],
    [E, "escape", "escape"],
    [`${E}[A`, "up", "up"],
    [`${E}OB`, "down", "down"],
    [`${E}[H`, "home", "home"],
    [`${E}[4~`, "end", "end"],
    [`${E}[3~`, "delete", "delete"],
    [`${E}[5~`, "pageUp", "pageUp"],
    [`${E}[Z`, "shift+tab", "shift+tab"],
    [`${E}OP`, "f1", "f1"],
    [`${E}[[E`, "f5", "f5"],
    [`${E}[24~`, "f12", "f12"],
    [`${E}[1;5C`, "ctrl+right", "ctrl+right"],
    [`${E}[1;2A`, "shift+up", "shift+up"],
    [`${E}[3;5~`, "ctrl+delete", "ctrl+delete"],
    [`${E}[7$`, "shift+home", "shift+home"],
    [`${E}Oa`, "ctrl+up", "ctrl+up"],
    [`${E}x`, "alt+x", "alt+x"],
    [`${E}\r`, "alt+enter", "alt+enter"],
    [`${E}\u007f`, "alt+backspace", "alt+backspace"],
    [`${E}\u0003`, "ctrl+alt+c", "ctrl+alt+c"],
    [`${E}[27;2;13~`, "shift+enter", "shift+enter"],
    [`${E}[27;5;99~`, "ctrl+c", "ctrl+c"],
  ];
  test.each(cases)("%j is %s", (data, id, name) => {
    expect(matchesKey(data, id)).toBe(true);
    expect(parseKey(data)).toBe(name);
  });

  test("one byte can stand for several keys", () => {
    expect(matchesKey("\r", "ctrl+m")).toBe(true);
    expect(matchesKey("\t", "ctrl+i")).toBe(true);
    expect(matchesKey(`${E}b`, "alt+b")).toBe(true);
    expect(matchesKey(`${E}b`, "alt+left")).toBe(true);
    expect(matchesKey("\u001f", "ctrl+_")).toBe(true);
  });

  test("a capital letter is the letter with shift, and keeps its case as a name", () => {
    expect(matchesKey("A", "shift+a")).toBe(true);
    expect(matchesKey("A", "a")).toBe(false);
    expect(parseKey("A")).toBe("A");
  });
});

describe("the Kitty keyboard protocol", () => {
  const cases: [string, KeyId, string][] = [
    [`${E}[97u`, "a", "a"],
    [`${E}[99;5u`, "ctrl+c", "ctrl+c"],
    [`${E}[65;6u`, "ctrl+shift+a", "shift+ctrl+a"],
    [`${E}[13;2u`, "shift+enter", "shift+enter"],
    [`${E}[57414u`, "enter", "enter"],
    [`${E}[57419u`, "up", "up"],
    [`${E}[27;1:1u`, "escape", "escape"],
    [`${E}[107;9u`, "super+k", "super+k"],
    [`${E}[1;1:2A`, "up", "up"],
    [`${E}[99;69u`, "ctrl+c", "ctrl+c"],
    [`${E}[1089::99;5u`, "ctrl+c", "ctrl+c"],
  ];
  test.each(cases)("%j is %s", (data, id, name) => {
    expect(matchesKey(data, id)).toBe(true);
    expect(parseKey(data)).toBe(name);
  });

  test("a Latin letter counts as itself, wherever it sits on the keyboard", () => {
    expect(matchesKey(`${E}[107::118;5u`, "ctrl+k")).toBe(true);
    expect(matchesKey(`${E}[107::118;5u`, "ctrl+v")).toBe(false);
  });

  test("press, repeat and release are told apart", () => {
    const press = `${E}[97;1:1u`;
    const repeat = `${E}[97;1:2u`;
    const release = `${E}[97;1:3u`;
    expect([press, repeat, release].map(isKeyRelease)).toEqual([false, false, true]);
    expect([press, repeat, release].map(isKeyRepeat)).toEqual([false, true, false]);
    expect(isKeyRelease(`${E}[1;1:3A`)).toBe(true);
    expect(isKeyRelease(`${E}[3;1:3~`)).toBe(true);
    expect(matchesKey(release, "a")).toBe(true);
  });

  test("pasted text is never a key event", () => {
    expect(isKeyRelease(`${E}[200~${E}[97;1:3u${E}[201~`)).toBe(false);
    expect(isKeyRelease("90:62:3F")).toBe(false);
  });

  test("once it is active, ESC CR and a line feed mean shift+enter", () => {
    setKittyProtocolActive(true);
    for (const data of [`${E}\r`, "\n"]) {
      expect(parseKey(data)).toBe("shift+enter");
      expect(matchesKey(data, "enter")).toBe(false);
    }
    expect(matchesKey(`${E}x`, "alt+x")).toBe(false);
  });

  test("modifiers without a name have no key name either", () => {
    expect(parseKey(`${E}[97;17u`)).toBeUndefined();
  });
});

test("Key spells the names that matchesKey takes", () => {
  expect(Key.ctrlShift("p")).toBe("ctrl+shift+p");
  expect(matchesKey("\u0010", Key.ctrl("p"))).toBe(true);
  expect(matchesKey("\r", Key.return)).toBe(true);
  expect(matchesKey(E, Key.esc)).toBe(true);
  expect(matchesKey(`${E}[43;5u`, Key.ctrl("+"))).toBe(true);
  expect(matchesKey(`${E}[5~`, Key.pageUp)).toBe(true);
});

test("no input makes them throw", () => {
  const digits = fc.stringMatching(/^[0-9:;]{0,24}$/);
  const data = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.tuple(digits, fc.constantFrom(..."u~ABCDHFPQRSZ$^@M")).map(([n, end]) => `${E}[${n}${end}`),
    fc.string({ unit: "binary" }).map((text) => E + text),
  );
  const ids: KeyId[] = ["a", "ctrl+c", "escape", "+", "shift+enter", "f5"];
  fc.assert(
    fc.property(data, fc.constantFrom(...ids), (input, id) => {
      matchesKey(input, id);
      isKeyRelease(input);
      isKeyRepeat(input);
      const name = parseKey(input);
      if (name !== undefined) expect(name.length).toBeGreaterThan(0);
    }),
    { numRuns: 2000 },
  );
});

test("what parseKey names, matchesKey recognises", () => {
  const keys: KeyId[] = ["ctrl+c", "alt+x", "up", "shift+tab", "f7", "space", "shift+ctrl+p"];
  const sequences = ["\u0003", `${E}x`, `${E}[A`, `${E}[Z`, `${E}[18~`, " ", `${E}[112;6u`];
  expect(sequences.map(parseKey)).toEqual(keys);
  for (const [index, key] of keys.entries()) {
    for (const [other, data] of sequences.entries()) {
      expect(matchesKey(data, key)).toBe(index === other);
    }
  }
});
