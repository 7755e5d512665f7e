import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { afterEach, describe, expect, it, vi } from "vitest";
import { askSecretlint, KIND_OF_RULE } from "./ask-secretlint.ts";
import { createRedactor } from "./index.ts";
import { KINDS } from "./span.ts";
import { SHAPE_NAMES, secretOf } from "./test-kit/secrets.ts";

const names = rules.map(({ meta }) => meta.id.split("secretlint-rule-").at(-1) ?? "");

describe("secretlint's rules", () => {
  it("are all known here: a new one needs a look at the table of formats", () => {
    const known = [...Object.keys(KIND_OF_RULE), "filter-comments"];
    expect([...names].sort()).toEqual(known.sort());
  });

  it("have kinds that can stand in a text", () => {
    expect(Object.values(KIND_OF_RULE).filter((kind) => !KINDS.includes(kind))).toEqual([]);
  });

  it("find nothing that the redactor leaves: what they know is a part of what it knows", async () => {
    const redactor = createRedactor();
    const seen = new Set<string>();
    for (const name of SHAPE_NAMES) {
      for (let seed = 1; seed <= 10; seed++) {
        const { value } = secretOf(name, seed);
        const text = `key ${value} end`;
        const found = await askSecretlint(text);
        for (const { kind } of found) seen.add(kind);
        const left = await redactor.text(text);
        expect(await askSecretlint(left), left).toEqual([]);
        if (found.length > 0) expect(left).not.toContain(value);
      }
    }
    // Shapes that secretlint has no rule for are told by the table alone.
    expect(seen.size).toBeGreaterThan(17);
  });

  it.each([
    ["a token too short for a run of characters", "xoxb-1-a2", "[REDACTED:slack-token]"],
    [
      "a value without the mix of characters a password has",
      "aws_secret_access_key = ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMN",
      "aws_secret_access_key = [REDACTED:aws-secret-key]",
    ],
    [
      "a password in angle brackets",
      "mongodb+srv://<user>:<pa55w0rd>@cluster0.mongodb.net/db",
      "mongodb+srv://[REDACTED:url-credentials]@cluster0.mongodb.net/db",
    ],
  ])("have the last word about %s", async (_, text, expected) => {
    expect(await createRedactor().text(text)).toBe(expected);
  });

  it("do not take the blanks of a manual's example for a password", async () => {
    const text = "mongodb+srv://<user>:<password>@cluster0.mongodb.net/db";
    expect(await createRedactor().text(text)).toBe(text);
  });

  it("remove the whole value although some report the place of its name", async () => {
    const value = "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMN";
    const text = `AWS_SECRET_ACCESS_KEY = "${value}"`;
    const [found] = await askSecretlint(text);
    expect(text.slice(found?.start, found?.end)).toBe(value);
  });

  it("cannot be switched off by what a text says", async () => {
    const text = "xoxb-1-a2 // secretlint-disable-line";
    expect(await createRedactor().text(`secretlint-disable\n${text}`)).toBe(
      "secretlint-disable\n[REDACTED:slack-token] // secretlint-disable-line",
    );
  });

  it("leave nothing behind in the process, however often they are asked", async () => {
    const before = performance.getEntries().length;
    for (let times = 0; times < 50; times++) await askSecretlint("xoxb-1-a2");
    expect(performance.getEntries().length).toBe(before);
  });
});

describe("loading secretlint", () => {
  afterEach(() => {
    vi.doUnmock("@secretlint/secretlint-rule-preset-recommend");
    vi.resetModules();
  });

  it("happens at the first question and not before", async () => {
    let loads = 0;
    vi.resetModules();
    vi.doMock("@secretlint/secretlint-rule-preset-recommend", () => {
      loads++;
      return { rules: [] };
    });
    const fresh = await import("./index.ts");
    const redactor = fresh.createRedactor({ env: { A_TOKEN: "abc-12345678" } });
    const { value } = secretOf("github-token", 1);
    await redactor.text(`no secrets, and one that is known: ${value}, password=hunter2hunter2`);
    expect(loads).toBe(0);
    await redactor.text("xoxb-1-a2");
    expect(loads).toBe(1);
  });
});
