import { describe, expect, it } from "vitest";
import { createRedactor, type RedactorOptions, startRedaction } from "./index.ts";
import { secretOf } from "./test-kit/secrets.ts";

const redact = (options: RedactorOptions, text: string) => createRedactor(options).text(text);
const { value: token } = secretOf("github-token", 1);

describe("own patterns", () => {
  it.each([
    ["a text", "acme-internal", "at acme-internal.example", "at [REDACTED:own-pattern].example"],
    ["a text with signs", "a.b(c)[d]", "x a.b(c)[d] axb(c)", "x [REDACTED:own-pattern] axb(c)"],
    [
      "a regular expression",
      "/kunde-\\d{4}/",
      "kunde-1234 Kunde-1234",
      "[REDACTED:own-pattern] Kunde-1234",
    ],
    ["one without regard to case", "/kunde-\\d{4}/i", "Kunde-1234", "[REDACTED:own-pattern]"],
    ["letters of all scripts", "/Schlüssel \\p{L}+/", "Schlüssel äöü!", "[REDACTED:own-pattern]!"],
    [
      "a text of all scripts",
      "秘密の言葉",
      "これは秘密の言葉です",
      "これは[REDACTED:own-pattern]です",
    ],
  ])("%s", async (_, pattern, text, expected) => {
    expect(await redact({ patterns: [pattern] }, text)).toBe(expected);
  });

  it.each([
    ["quotes", '{"a":"say \\"hi\\" now"}', '{"a":"[REDACTED:own-pattern] now"}'],
    ["letters of another script", '{"a":"Schl\\u00fcssel"}', '{"a":"[REDACTED:own-pattern]"}'],
    ["the same as they are", '{"a":"Schlüssel"}', '{"a":"[REDACTED:own-pattern]"}'],
    ["the end of a line", '{"a":"eins\\nzwei"}', '{"a":"[REDACTED:own-pattern]"}'],
  ])(
    "are found in strings of JSON although JSON writes them differently: %s",
    async (_, line, expected) => {
      const redactor = createRedactor({ patterns: ['say "hi"', "Schlüssel", "/eins\\s+zwei/"] });
      const { bytes } = await redactor.redact(Buffer.from(line));
      expect(bytes.toString()).toBe(expected);
    },
  );

  it("see bytes that are no UTF-8 one by one", async () => {
    const redactor = createRedactor({ patterns: ["/k.y/"] });
    const { bytes } = await redactor.redactText(Buffer.from("\xffk\xfey", "latin1"));
    expect(bytes.toString("latin1")).toBe("\xff[REDACTED:own-pattern]");
  });

  it.each([
    ["/(/", "Unterminated group"],
    ["/a{2,1}b/", "out of order"],
    ["/acme/x", 'the flags "x"'],
    ["/acme/g", 'the flags "g"'],
    ["ab", "shorter than 4"],
    ["    ", "shorter than 4"],
  ])("that cannot be used are a problem with a reason, never a crash: %s", (pattern, reason) => {
    const { problems } = createRedactor({ patterns: ["fine", pattern] });
    expect(problems.map(({ code }) => code)).toContain("SEAM_REDACTION_PATTERN");
    expect(problems[0]?.message).toContain(reason);
    expect(problems[0]?.message).toContain("Entry 2");
    expect(problems[0]?.message).toContain("redaction.patterns");
  });

  it("that are no regular expression still protect the text they are", async () => {
    expect(await redact({ patterns: ["/acme(internal/"] }, "see /acme(internal/ now")).toBe(
      "see [REDACTED:own-pattern] now",
    );
  });

  it("that match nothing, or everything, do no harm", async () => {
    expect(await redact({ patterns: ["/x*/"] }, "abc")).toBe("abc");
    const redactor = createRedactor({ patterns: ["/.+/"] });
    const once = await redactor.redact(Buffer.from('{"a":"b c d e","n":1}'));
    expect(once.bytes.toString()).toBe('{"a":"[REDACTED:own-pattern]","n":1}');
    expect((await redactor.redact(once.bytes)).bytes.equals(once.bytes)).toBe(true);
  });
});

describe("what is allowed", () => {
  it("stays, as a text or a regular expression for the whole of it", async () => {
    expect(await redact({ allow: [token] }, `a ${token}`)).toBe(`a ${token}`);
    expect(await redact({ allow: ["/ghp_\\w+/"] }, `a ${token}`)).toBe(`a ${token}`);
  });

  it("does not let more through than it says", async () => {
    expect(await redact({ allow: ["/ghp_/", token.slice(0, 20)] }, token)).toBe(
      "[REDACTED:github-token]",
    );
  });
});

describe("the environment", () => {
  const env = {
    DEPLOY_TOKEN: "blue-Horse-77",
    DB_PASSWORD: "Pferdeapfel",
    MY_API_KEY: 'q"uo\\te 1',
    APP_SECRET: "größe-12",
    SHORT_TOKEN: "abc12",
    KEY_PATH_KEY: "/home/dev/.ssh/id_ed25519",
    POSTGRES_PASSWORD: "postgres",
    PWD: "/home/dev/app-with-name",
    NAME: "plain-value-1",
    EMPTY_TOKEN: "",
  };

  it("has its secrets found everywhere, by their value", async () => {
    expect(await redact({ env }, "cd blue-Horse-77; echo größe-12")).toBe(
      "cd [REDACTED:environment]; echo [REDACTED:environment]",
    );
  });

  it("has them found in JSON and in addresses", async () => {
    const redactor = createRedactor({ env });
    const value = { text: `x ${env.MY_API_KEY} y`, nested: JSON.stringify({ a: env.MY_API_KEY }) };
    const line = `${JSON.stringify(value)}\n`;
    const { bytes } = await redactor.redactAppended(startRedaction("jsonl"), Buffer.from(line));
    expect(JSON.parse(bytes.toString())).toEqual({
      text: "x [REDACTED:environment] y",
      nested: '{"a":"[REDACTED:environment]"}',
    });
    expect(await redactor.text(`?x=${encodeURIComponent(env.APP_SECRET)}`)).toBe(
      "?x=[REDACTED:environment]",
    );
  });

  it("takes a word only where it stands by itself", async () => {
    expect(await redact({ env }, "Pferdeapfel, Pferdeapfelkuchen")).toBe(
      "[REDACTED:environment], Pferdeapfelkuchen",
    );
  });

  it.each([
    "abc12",
    "/home/dev/.ssh/id_ed25519",
    "psql postgres",
    "/home/dev/app-with-name",
    "plain-value-1",
  ])("leaves what is short, a place, a common word or has another name: %s", async (text) => {
    expect(await redact({ env }, text)).toBe(text);
  });
});
