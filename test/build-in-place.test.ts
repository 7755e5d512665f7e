import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inPlace } from "../scripts/build/in-place.mjs";

function write(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
}

describe("a build", () => {
  it("that fails halfway leaves the one before as it was, and nothing beside it", async () => {
    const root = mkdtempSync(join(tmpdir(), "build-"));
    const dist = join(root, "dist");
    write(dist, "seam.js", "good");
    const failing = inPlace(dist, async (made) => {
      write(made, "seam.js", "half");
      throw new Error("a type error");
    });
    await expect(failing).rejects.toThrow("a type error");
    expect(readFileSync(join(dist, "seam.js"), "utf8")).toBe("good");
    expect(readdirSync(root)).toEqual(["dist"]);
  });

  it("that succeeds replaces the one before whole", async () => {
    const root = mkdtempSync(join(tmpdir(), "build-"));
    const dist = join(root, "dist");
    write(dist, "gone.js", "of a source that is gone");
    await inPlace(dist, async (made) => write(made, "seam.js", "new"));
    expect(readdirSync(dist)).toEqual(["seam.js"]);
    expect(readdirSync(root)).toEqual(["dist"]);
  });

  it("does not begin with what an interrupted one left", async () => {
    const root = mkdtempSync(join(tmpdir(), "build-"));
    const dist = join(root, "dist");
    write(`${dist}.building`, "left.js", "from a build that was killed");
    await inPlace(dist, async (made) => write(made, "seam.js", "new"));
    expect(readdirSync(dist)).toEqual(["seam.js"]);
  });
});
