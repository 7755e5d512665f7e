import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { redactionProblems, secretRemover } from "./secret-remover.ts";
import { newFolder } from "./test-kit/project.ts";

// Put together here, so that no scanner takes this file for a leak.
const TOKEN = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"}`;
const remover = (cwd = newFolder()) => secretRemover(() => {}, cwd);

it("takes a secret out of a key as well, and leaves every line valid", async () => {
  const lines = `${JSON.stringify({ a: 1 })}\n${JSON.stringify({ [TOKEN]: "x", b: TOKEN })}\n`;
  const { bytes, redactions } = await remover().redact(Buffer.from(lines));
  const text = bytes.toString();
  expect(text).not.toContain(TOKEN);
  expect(text.split("\n")[0]).toBe('{"a":1}');
  for (const line of text.trimEnd().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  expect(redactions.every(({ kept }) => kept === undefined)).toBe(true);
});

it("takes a secret out of a key of a document", async () => {
  const document = Buffer.from(JSON.stringify({ list: [{ [TOKEN]: TOKEN }] }));
  const { bytes } = await remover().document(document);
  expect(bytes.toString()).not.toContain(TOKEN);
  expect(() => JSON.parse(bytes.toString())).not.toThrow();
});

it("says which patterns of a project cannot be used", () => {
  const cwd = newFolder();
  mkdirSync(join(cwd, ".seam"));
  const redaction = { patterns: ["fine", "/(bad[/", "ACME-[0-9]+-XYZ"] };
  writeFileSync(join(cwd, ".seam/settings.json"), JSON.stringify({ redaction }));
  expect(redactionProblems(cwd).map(({ code }) => code)).toEqual([
    "SEAM_REDACTION_PATTERN",
    "SEAM_REDACTION_TEXT",
  ]);
  expect(redactionProblems(newFolder())).toEqual([]);
});

it("knows the patterns of the project it is for", async () => {
  const cwd = newFolder();
  mkdirSync(join(cwd, ".seam"));
  writeFileSync(
    join(cwd, ".seam/settings.json"),
    '{ "redaction": { "patterns": ["blue-horse"] } }',
  );
  expect(await remover(cwd).text("my blue-horse")).not.toContain("blue-horse");
  expect(await remover().text("my blue-horse")).toContain("blue-horse");
});
