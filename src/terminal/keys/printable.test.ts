import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeKittyPrintable, printableText } from "./printable.ts";

const E = "\u001b";

test("typed text is itself", () => {
  expect(printableText("a")).toBe("a");
  expect(printableText("日本")).toBe("日本");
});

test("a key of the Kitty protocol types its character, with shift the shifted one", () => {
  expect(decodeKittyPrintable(`${E}[97u`)).toBe("a");
  expect(decodeKittyPrintable(`${E}[49:33;2u`)).toBe("!");
  expect(decodeKittyPrintable(`${E}[1089u`)).toBe("с");
  expect(decodeKittyPrintable(`${E}[57400u`)).toBe("1");
});

test("keys that type nothing have no text", () => {
  for (const data of ["\r", "\u007f", `${E}[A`, `${E}[13u`, `${E}[97;5u`, `${E}[57358u`, ""]) {
    expect(printableText(data)).toBeUndefined();
  }
});

test("letting a key go types nothing", () => {
  expect(printableText(`${E}[97;1:3u`)).toBeUndefined();
});

test("codes that are no characters do not make it throw", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (code) => {
      decodeKittyPrintable(`${E}[${code}u`);
    }),
  );
});
