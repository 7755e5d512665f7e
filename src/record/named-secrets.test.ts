import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commitFacts } from "../git/index.ts";
import { CHECKPOINTS_REF } from "./checkpoint/metadata.ts";
import { findCheckpoints } from "./history/find-checkpoints.ts";
import { secretOf } from "./redact/test-kit/secrets.ts";
import { secretRemover } from "./secret-remover.ts";
import { turnsRef } from "./snapshot/take-snapshot.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

const TOKEN = secretOf("github-token", 5).value;

it("a secret in the name of a branch or a file is in no checkpoint, which is found all the same", async () => {
  const shop = await Workshop.open({ redactor: secretRemover(() => {}) });
  shop.git("checkout", "-q", "-b", `fix/${TOKEN}`);
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Write", async () => {
    await claude.write(`notes/${TOKEN}.txt`, "a line of the agent\n");
  });
  const id = (await shop.commitAll("A")) ?? "";
  const { metadata, sessions } = await shop.checkpoint(id);
  const name = "notes/[REDACTED:github-token].txt";
  const branch = "fix/[REDACTED:github-token]";
  const blob = shop.git("rev-parse", `HEAD:notes/${TOKEN}.txt`);
  expect(metadata).toMatchObject({ branch, files_touched: [name], file_hashes: { [name]: blob } });
  expect(sessions[0]?.metadata).toMatchObject({ branch, files_touched: [name] });
  for (const path of ["metadata.json", "0/metadata.json"]) {
    expect(shop.file(id, path)).not.toContain(TOKEN);
  }
  expect(shop.git("log", "--format=%B", turnsRef(claude.id))).not.toContain(TOKEN);
  expect(shop.git("log", "--format=%B", CHECKPOINTS_REF)).not.toContain(TOKEN);
  // What a server makes of it, without the trailer.
  shop.git("checkout", "-q", "main");
  shop.git("checkout", `fix/${TOKEN}`, "--", "notes");
  shop.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "Squashed");
  const { store } = await shop.record();
  const squashed = await commitFacts(store, "HEAD");
  const found = await findCheckpoints(store, squashed?.id ?? "");
  expect([found.by, found.checkpoints.map((one) => one.id)]).toEqual(["content", [id]]);
});

it("an untracked file or folder with a secret in its name is in no snapshot, and no snapshot names it", async () => {
  const shop = await Workshop.open({ redactor: secretRemover(() => {}) });
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Write", async () => {
    await claude.write(`${TOKEN}.txt`, "one\n");
    await claude.write(`keys/${TOKEN}/notes.md`, "two\n");
    await claude.write("plain/x9Kq2mVb7TzR4wLpN8sYcD.txt", "three\n");
    symlinkSync("plain", join(shop.root, `link-${TOKEN}`));
  });
  const ref = turnsRef(claude.id);
  const names = shop.git("ls-tree", "-r", "-t", "--name-only", ref);
  expect(names).toContain("plain/x9Kq2mVb7TzR4wLpN8sYcD.txt");
  const history = shop.git("log", "-p", "--format=%B", ref);
  expect(names + history).not.toContain(TOKEN);
  expect(history).toContain('"path": "[REDACTED:github-token].txt"');
});

it("what a prompt and a reason say is free of secrets in the state of the session too", async () => {
  const shop = await Workshop.open({ redactor: secretRemover(() => {}) });
  const claude = await new FakeClaude(shop).start();
  await claude.turn(`Deploy with ${TOKEN}`, async () => {
    await claude.write("a.txt", "a\n");
  });
  const folder = join(shop.root, ".git/seam");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(join(one.parentPath, one.name), "utf8"));
  expect(files.join("\n")).toContain("Deploy with [REDACTED:github-token]");
  expect(files.join("\n")).not.toContain(TOKEN);
});
