import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { inFull } from "../../../test/setup/sample.ts";
import { projectRoot } from "../project-root.ts";
import { agree, notedLenders, noteLenders, trustFault, trustFile } from "./agreements.ts";

/** A project with an extension that the user agreed to. */
function agreed() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agreements-")));
  const [home, root] = [join(folder, "seam"), join(folder, "project")];
  vi.stubEnv("SEAM_HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(root, "inner"), { recursive: true });
  const path = join(root, "gate.ts");
  agree(root, [{ kind: "extension", path, content: new Map([[path, Buffer.from("gate")]]) }]);
  return { home, root };
}

it("whose gates a folder borrows is noted beside what another process noted meanwhile", () => {
  const { root } = agreed();
  noteLenders(root, ["/one"]);
  noteLenders(root, ["/two"]);
  expect(notedLenders().get(root)).toEqual(["/one", "/two"]);
});

it("a list that cannot be read stays, with all copies, and holds up nobody", () => {
  const { home, root } = agreed();
  const copies = readdirSync(join(home, "trusted"));
  rmSync(trustFile());
  symlinkSync("trust.json", trustFile());
  expect(() => noteLenders(root, ["/one"])).toThrow("cannot be read");
  expect([readlinkSync(trustFile()), readdirSync(join(home, "trusted"))]).toEqual([
    "trust.json",
    copies,
  ]);
  expect(projectRoot(join(root, "inner"))).toBe(join(root, "inner"));
  expect(trustFault()).toContain("links");
});

inFull("a process that can open no file any more goes on with what it knew", () => {
  const { home, root } = agreed();
  const source = fileURLToPath(new URL("../index.ts", import.meta.url));
  const script = `
    const { openSync } = require("node:fs");
    const { createJiti } = require(${JSON.stringify(createRequire(import.meta.url).resolve("jiti"))});
    const [, source, root] = process.argv;
    createJiti(source, { fsCache: false }).import(source).then(({ agreementsOf, projectRoot }) => {
      const known = () => [Object.keys(agreementsOf(root)), projectRoot(root + "/inner") === root];
      const wait = setInterval(() => {
        known();
        clearInterval(wait);
        try { for (;;) openSync("/dev/null"); } catch {}
        process.stdout.write(JSON.stringify(known()));
        process.exit();
      }, 200);
    });`;
  const command = 'ulimit -n 256; exec "$0" "$@"';
  const args = ["-c", command, process.execPath, "-e", script, source, root];
  const env = { ...process.env, SEAM_HOME: home };
  expect(JSON.parse(execFileSync("/bin/sh", args, { env, encoding: "utf8" }))).toEqual([
    ["gate.ts"],
    true,
  ]);
});
