import { expect, it } from "vitest";
import { inSight } from "./in-sight.ts";

it("shows what would be invisible in a command, or would turn it around", () => {
  expect(inSight("rm -rf /tmp/\u202ecod\u202c \x1b[2J\x00 a\u200bb\r\u{e0041}")).toBe(
    "rm -rf /tmp/⟨U+202E⟩cod⟨U+202C⟩ ⟨U+001B⟩[2J⟨U+0000⟩ a⟨U+200B⟩b⟨U+000D⟩⟨U+E0041⟩",
  );
});

it("leaves what everybody can see as it is", () => {
  const seen = "echo 'مجلد قديم' 旧文件夹 naïve 👍\n\tdone";
  expect(inSight(seen)).toBe(seen);
});
