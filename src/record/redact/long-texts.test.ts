import { describe, expect, it } from "vitest";
import { isSampled } from "../../../test/setup/sample.ts";
import { askSecretlint } from "./ask-secretlint.ts";
import { ownPatterns } from "./own-patterns.ts";
import { createRedactor } from "./redactor.ts";
import { scanText } from "./scan.ts";
import { asBytes } from "./unescape.ts";

const nothing = { patterns: [], allow: [], inEnvironment: () => [], hidesInEscapes: false };

/** Each is the beginning of something that is searched for, over and over. */
const BEGINNINGS = [
  ...["a", "aA1", "a.", "a-", "1,", "\\", '"', "--", "xxx-", "int1", "a-z0-9", "a?.b", "a["],
  ...["-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "A: a\\n"],
  ...["://", "://a:", "://a:b", "://a@", "mongodb://a", "mongodb://a:b", "curl -u a:", "a:b@"],
  ...["password", "password=", 'password="', "password  =  ", "token: ", "--token ", "bearer a"],
  ...[
    "glpat-",
    "sk-",
    "sk-a",
    "xoxb-a-",
    "xoxb-a-1Q~0",
    "1Q~-",
    "eyJaaaaaaaaaa.",
    "AKIA",
    "SG.aaaaaaaaaaaaaaaaa.",
  ],
  ...[
    "\u001b[31m",
    "\u001b[",
    "\u001b]8;;",
    "\\x1b[1;",
    "\\u001b[0m",
    "^[[",
    "\u001b[\u001b[31m31m",
  ],
  ...[
    " -p",
    "mysql ",
    "mysql -p",
    "docker login -p ",
    "curl -u a:",
    "login a password ",
    "echo a1b2c3 | sudo ",
    "sudo -S <<< a1b2c3 ",
    "<password>a",
    'name="password" ',
    "name: password\\n value",
    "password is ",
  ],
  ...[
    "Cookie: ",
    "Cookie: a=b; ",
    "set-cookie: sid=a1b2c3d4e5;",
    "Basic ",
    "auth=",
    "AKIAQ3EGRZ5DLVW2YKNT ",
  ],
  ...["cGFzc3dvcmQ9", "Y2Nj", `${"Y2Nj".repeat(19)}\n`, "cGFzc3dvcmQ9:", "id=", "nanoid.parse("],
  ...[
    "secret_access_key = ",
    "[REDACTED:",
    "[REDACTED:jwt]",
    "\\u0041",
    "\\/",
    `${"A".repeat(76)}\\n`,
  ],
];
const TRIED = BEGINNINGS.filter((_, n) => isSampled(n, 4));
/** What takes a time in proportion to the square of this does not end while somebody waits. */
const LENGTH = 256 * 1024;

describe("a long text", () => {
  it.each(TRIED)("that is only %j is searched, and little of it is asked about", async (unit) => {
    const text = Buffer.from(unit.repeat(Math.ceil(LENGTH / unit.length)));
    const { questions } = scanText(text, 0, text.length, nothing);
    const asked = questions.reduce((sum, question) => sum + question.text.length, 0);
    expect(asked).toBeLessThan(text.length * 2);
    const redactor = createRedactor();
    const { bytes } = await redactor.redact(
      Buffer.from(JSON.stringify({ text: unit.repeat(5_000) })),
    );
    expect(JSON.parse(bytes.toString())).toHaveProperty("text");
  });

  it.each(TRIED)("that is only %j gets an answer from secretlint", async (unit) => {
    expect(await askSecretlint(unit.repeat(Math.ceil(5_120 / unit.length)))).toBeInstanceOf(Array);
  });

  it("has its secrets found, wherever in a run without spaces they stand", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    for (const before of [0, 2_000, 2_030, 4_060, 4_096, 6_130, 9_000]) {
      const text = `${"x.".repeat(before / 2)}.${token}.${"y.".repeat(4_000)}`;
      expect(await createRedactor().text(text)).not.toContain(token.slice(8, 24));
    }
  });

  it("loses a secret of known shape whole, however long it is", async () => {
    const secret = `whsec_${"a1B2-".repeat(4_000)}`;
    expect(await createRedactor().text(`see ${secret} here`)).toBe(
      "see [REDACTED:webhook-secret] here",
    );
  });
});

describe("an own regular expression", () => {
  const find = (pattern: string, text: string) => {
    const [own] = ownPatterns([pattern], "redaction.patterns", []);
    return own?.find(asBytes(text)).map(({ start, end }) => [start, end]);
  };

  it.each([
    ["/(x+x+)+y/", "x".repeat(LENGTH)],
    ["/(a|aa)+b/", "a".repeat(LENGTH)],
    ["/(\\w+\\s?)*:/", "word ".repeat(LENGTH / 5)],
    ["/(.*?,){11}P/", "1,2,3,".repeat(LENGTH / 6)],
  ])("that would go back for ever is searched once: %s", (pattern, text) => {
    expect(find(pattern, text)).toEqual([]);
  });

  it("that looks at all the rest for every match is given up: the rest goes with it", () => {
    const found = find("/x*y|x/", "x".repeat(LENGTH)) ?? [];
    expect(found.at(-1)?.[1]).toBe(LENGTH);
    expect(found.length).toBeLessThan(LENGTH / 2);
  });

  it("is found at every place of a long text, once, and whole", () => {
    for (let at = 16_380; at < 16_390; at++) {
      const text = `${"ü".repeat(at)}cust-12345 ${"-".repeat(40_000)}cust-9`;
      const [first, ...more] = new Set(find("/cust-\\d+/", text)?.map(String));
      expect(first).toBe(`${at * 2},${at * 2 + 10}`);
      expect(more).toHaveLength(1);
    }
  });

  it("that is bound to the beginning, the end or a word is not found where a window begins", () => {
    const text = "secrets".repeat(10_000);
    expect(find("/^secrets/", text)).toEqual([[0, 7]]);
    expect(find("/secrets$/", text)).toEqual([[69_993, 70_000]]);
    expect(find("/\\bsecrets\\b/", text)).toEqual([]);
  });

  it.each([
    ["/(?=acme)x/", "look-around"],
    ["/(?<!a)cme/", "look-around"],
    ["/(acme)\\1/", "back references"],
    ["/\\d{1,2000}/", "repeats over 1,000"],
    ["/[a-z]{1,800}[0-9]{1,800}/", "every search would take long"],
    ["/x*/", "fits where there is nothing"],
    ["/^/", "fits where there is nothing"],
    ["/\\b/", "fits where there is nothing"],
  ])("that cannot be searched in a limited time is a problem that says so: %s", (entry, reason) => {
    const { problems } = createRedactor({ patterns: [entry] });
    expect(problems[0]?.message).toContain(reason);
  });

  it.each(["/\\u00e9t\\u00e9/", "/[^]{3}x/", "/(?<name>acme)/", "/acme\\/\\w+/i", "/^acme$/m"])(
    "may be written as Node knows them: %s",
    (entry) => {
      expect(createRedactor({ patterns: [entry] }).problems).toEqual([]);
    },
  );
});

describe("a text that looks like a regular expression", () => {
  it.each(["ACME-[0-9]+-XYZ", "acme-\\d{4}", "secret.*", "(foo|bar)-key"])(
    "is said to be none: %s",
    (entry) => {
      const { problems } = createRedactor({ patterns: ["fine", entry] });
      expect(problems.map(({ code }) => code)).toEqual(["SEAM_REDACTION_TEXT"]);
      expect(problems[0]?.message).toContain("Entry 2");
    },
  );

  it.each(["hunter2", "p@ss(word)", "a.b.c.d", "what? no!", "C:\\data", "x{y}z", "[REDACTED]"])(
    "is not any text with odd characters: %s",
    (entry) => {
      expect(createRedactor({ patterns: [entry] }).problems).toEqual([]);
    },
  );
});
