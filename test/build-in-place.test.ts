import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inPlace } from "../scripts/build/in-place.mjs";

/** A build of two files that takes its time, twenty times over. */
const BUILD = `
  import { mkdirSync, writeFileSync } from "node:fs";
  import { setTimeout as sleep } from "node:timers/promises";
  import { inPlace } from ${JSON.stringify(new URL("../scripts/build/in-place.mjs", import.meta.url).href)};
  const [root, name] = process.argv.slice(1);
  for (let times = 0; times < 20; times++) {
    await inPlace(root + "/dist", async (made) => {
      mkdirSync(made);
      writeFileSync(made + "/first.js", name);
      await sleep(3);
      writeFileSync(made + "/last.js", name);
    });
  }
`;

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
    const gone = spawnSync("true").pid;
    for (const pid of [gone, process.pid]) {
      write(`${dist}.building-${pid}`, "left.js", "from a build that was killed");
    }
    write(`${dist}.former-${gone}`, "left.js", "what that one replaced");
    await inPlace(dist, async (made) => write(made, "seam.js", "new"));
    expect(readdirSync(dist)).toEqual(["seam.js"]);
    expect(readdirSync(root)).toEqual(["dist"]);
  });

  it("does not disturb one that runs at the same time: what is there then is whole", async () => {
    const root = mkdtempSync(join(tmpdir(), "build-"));
    const names = ["one", "two", "three"];
    const builds = names.map((name) => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", BUILD, root, name]);
      return new Promise((done) => child.once("exit", done));
    });
    expect(await Promise.all(builds)).toEqual([0, 0, 0]);
    expect(readdirSync(root)).toEqual(["dist"]);
    const files = readdirSync(join(root, "dist")).sort();
    const said = files.map((file) => readFileSync(join(root, "dist", file), "utf8"));
    expect(files).toEqual(["first.js", "last.js"]);
    expect(new Set(said).size).toBe(1);
  });
});
