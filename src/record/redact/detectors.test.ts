import { describe, expect, it } from "vitest";
import { createRedactor } from "./index.ts";
import { SHAPE_NAMES, secretOf } from "./test-kit/secrets.ts";

const redactor = createRedactor();
const redact = (text: string) => redactor.text(text);

describe("a secret with a known shape", () => {
  it.each(SHAPE_NAMES)("%s is replaced by its kind", async (name) => {
    for (let seed = 1; seed <= 20; seed++) {
      const { kind, value } = secretOf(name, seed);
      if (kind === "private-key") continue;
      const scheme = value.startsWith("https://") ? "https://" : "";
      expect(await redact(`use ${value} here`)).toBe(`use ${scheme}[REDACTED:${kind}] here`);
    }
  });

  it("is found in any entropy: the fixed letters say enough", async () => {
    expect(await redact("sb_secret_probe_20260710_7f91c2d8e4a6b3f0")).toBe(
      "[REDACTED:supabase-key]",
    );
    expect(await redact(`ghp_${"a".repeat(36)}`)).toBe("[REDACTED:github-token]");
  });

  it.each([
    ["after letters of another script", (secret: string) => `トークン${secret}です`],
    ["after an escape of text in text", (secret: string) => `echo\\n${secret}\\tdone`],
    ["in a coded address", (secret: string) => `token%3D${secret}%26x`],
    ["after a sign", (secret: string) => `X_${secret},"`],
    ["in code", (secret: string) => `\`${secret}\``],
  ])("is found %s", async (_, around) => {
    const { value } = secretOf("github-token", 7);
    expect(await redact(around(value))).toBe(around("[REDACTED:github-token]"));
  });

  it.each([
    "sk-loading-indicator-container-wrapper",
    "npm_config_registry_of_the_whole_company_is_set",
    "glpat-this-is-only-a-name",
    "sk_live_ is the prefix",
    "AKIAIOSFODNN7EXAMPLE",
    "sb_publishable_of_the_project",
    "hf_hub_download_with_progress_bar_enabled",
    "sess-storage-adapter-for-browser-tests-v1",
  ])("near miss: %s", async (text) => {
    expect(await redact(text)).toBe(text);
  });
});

describe("a secret in a coloured text", () => {
  const { value } = secretOf("github-token", 9);
  const shown = (text: string) => text.replaceAll("ESC", "\u001b");

  it.each([
    ["ESC[31mTOKENESC[0m", "ESC[31m[REDACTED:github-token]ESC[0m"],
    [
      "ESC[01;31mESC[KTOKENESC[mESC[K more",
      "ESC[01;31mESC[K[REDACTED:github-token]ESC[mESC[K more",
    ],
    ["\\x1b[32mTOKEN\\x1b[0m", "\\x1b[32m[REDACTED:github-token]\\x1b[0m"],
    ["\\033[32mTOKEN\\033[0m", "\\033[32m[REDACTED:github-token]\\033[0m"],
    ["\\u001b[32mTOKEN", "\\u001b[32m[REDACTED:github-token]"],
    ["^[[32mTOKEN", "^[[32m[REDACTED:github-token]"],
    [
      "ESC]8;;https://x.exampleESC\\TOKENESC]8;;ESC\\",
      "ESC]8;;https://x.exampleESC\\[REDACTED:github-token]ESC]8;;ESC\\",
    ],
    [
      "ESC[34mpasswordESC[0m=ESC[32mhunter2hunter2ESC[0m;",
      "ESC[34mpasswordESC[0m=ESC[32m[REDACTED:credential]ESC[0m;",
    ],
  ])("%s", async (text, expected) => {
    const input = shown(text).replace("TOKEN", value);
    expect(await redact(input)).toBe(shown(expected));
    const { bytes } = await redactor.redact(Buffer.from(JSON.stringify({ content: input })));
    expect(JSON.parse(bytes.toString())).toEqual({ content: shown(expected) });
  });

  it("is found where colours cut it in two", async () => {
    const cut = `\u001b[1m${value.slice(0, 12)}\u001b[0m${value.slice(12)}`;
    expect(await redact(cut)).toBe("\u001b[1m[REDACTED:github-token]");
  });

  it("near miss: colours alone stay as they are", async () => {
    const text = shown("ESC[1;34mconstESC[0m token ESC[90m=ESC[39m getToken();");
    expect(await redact(text)).toBe(text);
  });
});

describe("a secret with escapes for some of its characters, in a text that is no JSON", () => {
  const { value } = secretOf("github-token", 13);
  const escaped = `\\u0067${value.slice(1, 20)}\\u00${value.charCodeAt(20).toString(16)}${value.slice(21)}`;

  it.each([
    ["alone", escaped],
    ["in a text in a text", escaped.replaceAll("\\", "\\\\")],
  ])("is found %s", async (_, text) => {
    expect(await redact(`console.log("${text}")`)).toBe('console.log("[REDACTED:github-token]")');
  });
});

describe("a secret in base64", () => {
  const { value } = secretOf("github-token", 11);
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  it.each([
    ["alone", `echo ${base64(value)} | base64 -d`, "echo [REDACTED:github-token] | base64 -d"],
    ["in a file", `config: ${base64(`A=1\nTOKEN=${value}\n`)}`, "config: [REDACTED:github-token]"],
    ["of base64", `x=${base64(base64(value))}`, "x=[REDACTED:github-token]"],
    [
      "named as data",
      `data:text/plain;base64,${base64(value)}`,
      "data:text/plain;base64,[REDACTED:github-token]",
    ],
    ["a password", base64("DB_HOST=db\nDB_PASSWORD=correcthorse\n"), "[REDACTED:credential]"],
  ])("%s", async (_, text, expected) => {
    expect(await redact(text)).toBe(expected);
  });

  it("over several lines of a result goes as a whole", async () => {
    const lines = base64(`${"# settings\n".repeat(12)}TOKEN=${value}\n`).replace(/.{76}/g, "$&\n");
    const { bytes } = await redactor.redact(
      Buffer.from(JSON.stringify({ content: `$ base64 .env\n${lines}\ndone` })),
    );
    expect(JSON.parse(bytes.toString())).toEqual({
      content: "$ base64 .env\n[REDACTED:github-token]\ndone",
    });
  });

  it.each([
    base64("Many hands make light work"),
    base64('{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}'),
  ])("near miss: text without a secret, %s", async (text) => {
    expect(await redact(text)).toBe(text);
  });
});

describe("credentials in an address", () => {
  it.each([
    ["https://joe:s3cr3t-pw@example.com/x", "https://[REDACTED:url-credentials]@example.com/x"],
    ["postgres://app:pa55w0rd@db:5432/app", "postgres://[REDACTED:url-credentials]@db:5432/app"],
    [
      "postgresql://postgres:postgres1@127.0.0.1:54322/x",
      "postgresql://[REDACTED:url-credentials]@127.0.0.1:54322/x",
    ],
    ["redis://:hunter22@cache:6379", "redis://[REDACTED:url-credentials]@cache:6379"],
    [
      "mongodb+srv://u:p%40ss@c0.mongodb.net",
      "mongodb+srv://[REDACTED:url-credentials]@c0.mongodb.net",
    ],
    ["https://a:b@c:d@host.example/", "https://[REDACTED:url-credentials]@host.example/"],
    ["amqp:\\/\\/u:hunter22@mq", "amqp:\\/\\/[REDACTED:url-credentials]@mq"],
    [
      "https://0a1b2c3d4e5f60718293a4b5:x-oauth-basic@github.com/",
      "https://[REDACTED:url-credentials]@github.com/",
    ],
    [
      "https://0a1b2c3d4e5f60718293a4b5@github.com/o/r",
      "https://[REDACTED:url-credentials]@github.com/o/r",
    ],
    ["app:hunter22@tcp(db:3306)/app", "app:[REDACTED:url-credentials]@tcp(db:3306)/app"],
  ])("%s", async (text, expected) => {
    expect(await redact(text)).toBe(expected);
  });

  it.each([
    "https://example.com:8080/path@v2",
    "ssh://git@github.com/owner/repo.git",
    "git@github.com:owner/repo.git",
    "https://user:password@example.com/docs",
    `postgres://app:$${"{DB_PASSWORD}"}@db/app`,
    "https://<user>:<password>@host",
    "https://user:***@host.example",
    "npm i @scope/name@1.2.3 && open http://localhost:3000",
    "see https://example.com/a:b@c",
  ])("near miss: %s", async (text) => {
    expect(await redact(text)).toBe(text);
  });
});

describe("a value that is called a secret", () => {
  it.each([
    ["password=hunter2hunter2", "password=[REDACTED:credential]"],
    ["password: Tr0ub4dor&3xyz", "password: [REDACTED:credential]"],
    ["password: p@ss,word;1&2!xQ", "password: [REDACTED:credential]"],
    ["DB_PASSWORD=p@ss,word;1&2!xQ", "DB_PASSWORD=[REDACTED:credential]"],
    ["/?token=q7zp2lmx9&user=bob", "/?token=[REDACTED:credential]&user=bob"],
    ["/?a=1&token=q7zp2lmx9&sorted", "/?a=1&token=[REDACTED:credential]&sorted"],
    ["password=q7zp2lmx9;Server=x;User=y", "password=[REDACTED:credential];Server=x;User=y"],
    ["{password:q7zp2lmx9,user:bob}", "{password:[REDACTED:credential],user:bob}"],
    ["PASSWORD=q7zp2lmx9&&make", "PASSWORD=[REDACTED:credential]&&make"],
    ["token: q7zp2lmx9, and more", "token: [REDACTED:credential], and more"],
    ['api_key: "9f8d7c6b5a4e3d2c"', 'api_key: "[REDACTED:credential]"'],
    ["DB_PASSWORD=correcthorse", "DB_PASSWORD=[REDACTED:credential]"],
    ["export STRIPE_KEY='correcthorse'", "export STRIPE_KEY='[REDACTED:credential]'"],
    ["SECRET_KEY_BASE=0123456789abcdef", "SECRET_KEY_BASE=[REDACTED:credential]"],
    ['{"clientSecret":"x9$kkPq!a"}', '{"clientSecret":"[REDACTED:credential]"}'],
    ['{\\"password\\":\\"hunter2hunter2\\"}', '{\\"password\\":\\"[REDACTED:credential]\\"}'],
    ["--password hunter2hunter2 --yes", "--password [REDACTED:credential] --yes"],
    ["--api-key=hunter2hunter2", "--api-key=[REDACTED:credential]"],
    ["Server=db;Password=Tr0ub4dor&3;Port=1", "Server=db;Password=[REDACTED:credential]&3;Port=1"],
    [
      "//registry.npmjs.org/:_authToken=0a1b2c3d-4e5f",
      "//registry.npmjs.org/:_authToken=[REDACTED:credential]",
    ],
    ["Authorization: Bearer 0123456789abcdef01", "Authorization: Bearer [REDACTED:authorization]"],
    ["authorization: token 0123456789abcdef01", "authorization: token [REDACTED:authorization]"],
    [
      '"Authorization": "Basic dXNlcjpodW50ZXIy"',
      '"Authorization": "Basic [REDACTED:authorization]"',
    ],
    [
      "curl -u admin:hunter22 https://x.example",
      "curl -u admin:[REDACTED:credential] https://x.example",
    ],
  ])("%s", async (text, expected) => {
    expect(await redact(text)).toBe(expected);
  });

  it.each([
    ["password = hx47kp", "password = [REDACTED:credential]"],
    ["password: hx47kp", "password: [REDACTED:credential]"],
    ['"password": "hx47kp"', '"password": "[REDACTED:credential]"'],
    ['DB_PASSWORD = "Sommer2025"', 'DB_PASSWORD = "[REDACTED:credential]"'],
    ["  DB_PASSWORD: correcthorse", "  DB_PASSWORD: [REDACTED:credential]"],
    ["--password=correcthorse --yes", "--password=[REDACTED:credential] --yes"],
    ["--password 'Sommer!25' --yes", "--password '[REDACTED:credential]' --yes"],
    ["the password is Sommer2025", "the password is [REDACTED:credential]"],
    [
      "machine x.example login joe password hx47kp",
      "machine x.example login joe password [REDACTED:credential]",
    ],
    ["mysql -u root -pSommer2025 app", "mysql -u root -p[REDACTED:credential] app"],
    ["/usr/bin/mysqldump -phorse app", "/usr/bin/mysqldump -p[REDACTED:credential] app"],
    ["sshpass -p 'blue horse' ssh x", "sshpass -p '[REDACTED:credential]' ssh x"],
    ["sshpass -phorse ssh x", "sshpass -p[REDACTED:credential] ssh x"],
    [
      "docker login -u joe -p horse x.example",
      "docker login -u joe -p [REDACTED:credential] x.example",
    ],
    ["redis-cli -h cache -a horse ping", "redis-cli -h cache -a [REDACTED:credential] ping"],
    ["mongosh -u joe -p horse", "mongosh -u joe -p [REDACTED:credential]"],
    ["sqlcmd -S db -U sa -P 'horse!'", "sqlcmd -S db -U sa -P '[REDACTED:credential]'"],
    ["curl -s -u joe:horse https://x", "curl -s -u joe:[REDACTED:credential] https://x"],
    ['curl --user \\"joe:horse\\" x', 'curl --user \\"joe:[REDACTED:credential]\\" x'],
    [
      "openssl rsa -passin pass:horse -in k",
      "openssl rsa -passin pass:[REDACTED:credential] -in k",
    ],
    ["smbclient -U joe%horse //x/y", "smbclient -U joe%[REDACTED:credential] //x/y"],
    ["echo horse | sudo -S apt update", "echo [REDACTED:credential] | sudo -S apt update"],
    ["echo 'horse!' | sudo -kS id", "echo '[REDACTED:credential]' | sudo -kS id"],
    [
      "printf '%s\\n' \"horse\" | sudo -u joe -S id",
      "printf '%s\\n' \"[REDACTED:credential]\" | sudo -u joe -S id",
    ],
    ["sudo -S id <<< 'horse'", "sudo -S id <<< '[REDACTED:credential]'"],
    [
      'echo \\"joe:horse\\" | sudo chpasswd',
      'echo \\"joe:[REDACTED:credential]\\" | sudo chpasswd',
    ],
    [
      "echo horse | docker login -u joe --password-stdin",
      "echo [REDACTED:credential] | docker login -u joe --password-stdin",
    ],
    [
      "echo horse1 | openssl enc -pass stdin",
      "echo [REDACTED:credential] | openssl enc -pass stdin",
    ],
    ["set -gx DB_PASSWORD correcthorse", "set -gx DB_PASSWORD [REDACTED:credential]"],
    ["setenv DB_PASSWORD 'Sommer2025'", "setenv DB_PASSWORD '[REDACTED:credential]'"],
    ["tool --pass=correcthorse", "tool --pass=[REDACTED:credential]"],
    ["tool --db-pass hx47kp", "tool --db-pass [REDACTED:credential]"],
    ["<db:password>hx47kp</db:password>", "<db:password>[REDACTED:credential]</db:password>"],
    [
      '<add key="Password" value="Sommer2025"/>',
      '<add key="Password" value="[REDACTED:credential]"/>',
    ],
    [
      '{"name": "DB_PASSWORD", "value": "Sommer2025"}',
      '{"name": "DB_PASSWORD", "value": "[REDACTED:credential]"}',
    ],
    [
      '{\\"name\\":\\"apiKey\\",\\"value\\":\\"x9kkPq3a\\"}',
      '{\\"name\\":\\"apiKey\\",\\"value\\":\\"[REDACTED:credential]\\"}',
    ],
    [
      "- name: DB_PASSWORD\\n  value: correcthorse\\n",
      "- name: DB_PASSWORD\\n  value: [REDACTED:credential]\\n",
    ],
    ["Authorization: Basic am9lOmhvcnNl", "Authorization: Basic [REDACTED:authorization]"],
    ['"auth": "am9lOmhvcnNl"', '"auth": "[REDACTED:authorization]"'],
    [
      "Cookie: theme=dark; session=q7zp2lmx9; lang=de",
      "Cookie: theme=dark; session=[REDACTED:cookie]; lang=de",
    ],
    [
      "Set-Cookie: connect.sid=s%3Aq7zp2lmx9.x; Path=/; HttpOnly",
      "Set-Cookie: connect.sid=[REDACTED:cookie]; Path=/; HttpOnly",
    ],
    [
      `AKIAQ3EGRZ5DLVW2YKNT,${"home/dev/path/that/looks/like/a/pathABCD"}`,
      "[REDACTED:aws-access-key],[REDACTED:aws-secret-key]",
    ],
  ])("%s", async (text, expected) => {
    expect(await redact(text)).toBe(expected);
  });

  it.each([
    "const token = getToken();",
    "mysql -u root -p app",
    "echo $PASS | sudo -S id",
    "echo hello | sudo tee /etc/motd",
    "cat token.txt | gh auth login --with-token",
    "echo done | grep -c one; sudo -E make",
    "x264 --pass 1 --bypass=first1second2",
    "set -e; PASSWORD_FILE missing1file2",
    "<Token>abc1d2e3 </Token>",
    "Map<Token>abc1d2e3",
    "<input type='password' value='Log1n!'>",
    '{"name":"token","value":"string"}',
    "- name: DB_PASSWORD\\n  valueFrom:\\n    secretKeyRef: x1",
    "mysql -u root -p$PASS app",
    "docker run -p 8080:80 nginx",
    "mkdir -p some1dir2name && ssh -p 2222 host",
    "tar -xzf a.tgz; mysql -h db",
    "cookie: { maxAge: 60000, httpOnly: true }",
    "Cookie: theme=dark; lang=de; width=1024",
    "the password is required",
    "the password is invalid, login with password2",
    "readonly STENCIL_BACK_PASS_DEPTH_PASS: 0x8803;",
    "exports.LONG_PASSWORD = 0x00000001;",
    'RESET_PASSWORD: "resetPassword"',
    "const DIGEST_KEY = '1.2.840.113549.1.9.4';",
    "auth: true, basic: functionality",
    "password: string;",
    "let password = user1,token2",
    "token=flags1&mask",
    'apiKey: process.env["API_KEY"]',
    "token: config2.token,",
    "export GITHUB_TOKEN=$(gh auth token)",
    `PASSWORD=$${"{DB_PASSWORD}"}`,
    "API_KEY=<your key>",
    'password: "your_password_here"',
    '{ type: "password", name: "password", autoComplete: "current-password" }',
    "max_tokens: 4096, input_tokens=1234567890",
    "secretName: my-service-v2-secret",
    'secret: "db-credentials-v1"',
    'tokenUrl: "https://auth.example.com/v2/token"',
    "key: base64Key, secret: hmacSha256Digest",
    "if (apiKey === undefined) throw",
    "the bearer of this letter, basic functionality and a token of thanks",
    "PUBLIC_KEY=0a1b2c3d4e5f60718293",
    "SSH_KEY=/home/dev/.ssh/id_ed25519",
    "OLDPWD=/home/dev/app2",
    '"credential:"),a.b(c,{d:1}),"x"',
  ])("near miss: %s", async (text) => {
    expect(await redact(text)).toBe(text);
  });
});

describe("a random token", () => {
  it.each([
    "q7Zp2LmXw9RtVb4NcKd8",
    "wJalrXUtnFEMI/K7MDENG+bPxRfiCYzz3Q9kLmN1",
    "x9Kq-2mVb_7TzR4wLpN8sYcD",
    "/tmp/x9Kq-2mVb_7TzR4wLpN8sYcD/a",
  ])("%s", async (token) => {
    expect(await redact(`found ${token}.`)).toBe("found [REDACTED:random].");
    expect(await redact(`a\\n${token}`)).toBe("a\\n[REDACTED:random]");
  });

  it.each([
    ["a commit", "681cd8e6f1f0a7c1c0c4c2a3b4d5e6f708192a3b"],
    ["a UUID", "550e8400-E29B-41d4-a716-446655440000"],
    ["a ULID", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    [
      "a hash of npm",
      "sha512-AC/7JofJvZGrrneWNaEnJeOLUx+JlGt7tNa0wZiRPT4MY1wmfKjt2+6O2p2uz2+skll8OZZmJMNqeke7kKbNgQ==",
    ],
    ["a hash of go", "github.com/x/y v1.2.3 h1:JrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs="],
    [
      "a digest of docker",
      "node@sha256:9f8d7c6b5a4e3d2c1b0a9f8d7c6b5a4e3d2c1b0a9f8d7c6b5a4e3d2c1b0a9f8d",
    ],
    [
      "a picture",
      `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk`,
    ],
    ["a path", "/home/dev/App2/node_modules/@scope/Some-Pkg3/dist/esm/Index2.test.js"],
    ["a path of a temporary folder", "File created at: /tmp/things-k0HH1b/app/ok.txt (see it)"],
    ["a path below it", "Base directory: /tmp/things-k0HH1b/app/.claude/skills/greet"],
    ["a name in code", "getElementsByTagNameNS2WithOptionsAndCallback1"],
    ["an algorithm", "CipherChaCha20Poly1305Options"],
    ["a name with a hash", "__wbg_drawImage_fede06db74e39a60"],
    ["a number", "0x9E3779B185EBCA87ULL"],
    ["an alphabet", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"],
    ["a class of characters", "[A-Za-z0-9_-]{20,}[A-HJ-NP-Za-km-z1-9]"],
    ["an id of a call", "toolu_01A09q90qw90lq917835lq9"],
    ["an id of a session", "ses_e1f9f8790ffez2me7y2NrnS5VW"],
    ["a model", "claude-sonnet-4-5-20250929-V2-Thinking"],
    ["an address", "https://docs.example.com/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit"],
    ["a short address", "https://y.be/q7Zp2LmXw9RtVb4NcKd8x"],
    ["a drawing", "M4v11H0v3h14v-3H4V6zm19h2M8"],
    [
      "a public key",
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8x2Q9vLm4Tz7Kp3Rw5Yb6Nc1Vd0Xf joe@host",
    ],
    ["a time", "2026-11-15T17-54-59-495Z_3bc8092b"],
    ["minified code", "function(e,t){return e.a1B2(t)?n(r):o}var i=e(1e3),a=t.c3D4"],
  ])("near miss: %s", async (_, text) => {
    expect(await redact(text)).toBe(text);
  });

  it("near miss: a signature in a text, line by line, and not what comes after it", async () => {
    const line = "iQIzBAEBCAAdFiEEXZUqRuHYyTH2Nk4B3GyD9NWE02QFAmFDnUgACgkQ3GyD9NWE";
    const block = `-----BEGIN PGP SIGNATURE-----\n\n${line}\n${line}\n-----END PGP SIGNATURE-----\n`;
    expect(await redact(block)).toBe(block);
    expect(await redact(`${block}q7Zp2LmXw9RtVb4NcKd8`)).toBe(`${block}[REDACTED:random]`);
  });

  it.each([
    ["an id by its name", 'const requestId = "q7Zp2LmXw9RtVb4NcKd8"'],
    ["an id of a kind", 'nanoid.parse("lfNZluvAxMkf7Q8C5H-QS")'],
    [
      "a hash that is named once",
      'md5base64("XUFAKrxLKna5cZ2REBfFkg==") == "XUFAKrxLKna5cZ2REBfFkg=="',
    ],
  ])("near miss: %s", async (_, text) => {
    expect(await redact(text)).toBe(text);
  });

  it("near miss: a certificate and a file in base64, in a result", async () => {
    const line = "MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ";
    const certificate = `-----BEGIN CERTIFICATE-----\n${line}\n${line}\n-----END CERTIFICATE-----\n`;
    const file = `${line}ABCDEFGHIJ12\n`.slice(-77).repeat(70);
    for (const content of [certificate, file]) {
      const bytes = Buffer.from(`${JSON.stringify({ content })}\n`);
      expect((await redactor.redact(bytes)).bytes.toString()).toBe(bytes.toString());
    }
  });
});

describe("a private key", () => {
  const { value: key } = secretOf("private-key", 3);
  const inResult = async (content: string) => {
    const { bytes } = await redactor.redact(Buffer.from(JSON.stringify({ content })));
    return (JSON.parse(bytes.toString()) as { content: string }).content;
  };

  it("in a result is one token", async () => {
    expect(await inResult(`before\n${key}\nafter`)).toBe("before\n[REDACTED:private-key]\nafter");
  });

  it.each([
    ["with line numbers", (text: string) => text.replace(/^/gm, "     7→")],
    ["as a change", (text: string) => text.replace(/^/gm, "+")],
    ["in JSON in a text", (text: string) => JSON.stringify({ private_key: text })],
    ["in JSON twice", (text: string) => JSON.stringify(JSON.stringify(text))],
    ["cut off", (text: string) => text.slice(0, 150)],
    ["without its beginning", (text: string) => text.split("\n").slice(2).join("\n")],
    ["put together in code", (text: string) => text.replaceAll("\n", '\\n" +\n  "')],
  ])("%s leaves nothing of its lines", async (_, around) => {
    const result = await inResult(`x ${around(key)} y`);
    for (const line of key.split("\n").slice(1, -1)) {
      expect(result).not.toContain(line.slice(0, 16));
    }
  });

  it("in a text goes line by line: the lines stay where they were", async () => {
    const text = `before\n${key}\nafter\n`;
    const redacted = await redact(text);
    expect(redacted.split("\n")).toEqual([
      "before",
      "-----BEGIN RSA PRIVATE KEY-----",
      "[REDACTED:private-key]",
      "[REDACTED:private-key]",
      "[REDACTED:private-key]",
      "-----END RSA PRIVATE KEY-----",
      "after",
      "",
    ]);
  });

  it.each([
    'if (text.startsWith("-----BEGIN RSA PRIVATE KEY-----")) return;',
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nNote: paste the key here\nThen go on",
    "-----BEGIN PUBLIC KEY-----\nshort\n-----END PUBLIC KEY-----",
  ])("near miss: %s", async (text) => {
    expect(await redact(text)).toBe(text);
    expect(await inResult(text)).toBe(text);
  });
});

describe("a secret in its own surroundings", () => {
  /** As it stands in a transcript: a string of JSON, with its line ends written down. */
  const inTranscript = async (text: string) => {
    const { bytes } = await redactor.redact(Buffer.from(`${JSON.stringify({ text })}\n`));
    return (JSON.parse(bytes.toString()) as { text: string }).text;
  };
  const HIDDEN = "[REDACTED:credential]";

  it.each([
    ["a line of .pgpass", "db.example.com:5432:app:owner:SECRET", "Tr0ub4dor"],
    ["a line of .pgpass for all", "# mine\n*:*:*:owner:SECRET\n", "k3Yh8!mm2"],
    ["what is written to .pgpass", 'echo "localhost:6432:*:app:SECRET" >> ~/.pgpass', "pW4!x9Qz"],
    [
      "a column of a table in Markdown",
      "| user | password |\n|---|---|\n| ann | SECRET |\n| bob | - |",
      "Zx81!kkq",
    ],
    [
      "a column of what psql prints",
      " id | name | api_key \n----+------+---------\n  1 | ann  | SECRET\n(1 row)",
      "a8f3k2m9x1",
    ],
    [
      "a column of what mysql prints",
      "+-----+----------+\n| usr | Password |\n+-----+----------+\n| ann | SECRET |\n+-----+----------+",
      "q7Wm2!tt",
    ],
    ["a row of a table", "| Password | `SECRET` |\n| Port | 5432 |", "mK93!ffz"],
    ["what vault prints", "Key         Value\n---         -----\npassword    SECRET\n", "h8sK2mq9"],
    ["expect", 'expect "*?assword:*"\nsend "SECRET\\r"\ninteract', "opensesame"],
    ["expect with dashes", 'expect {\n "assword:" { send -- "SECRET\\r" }\n}', "opensesame"],
    ["pexpect", 'child.expect("Password: ")\nchild.sendline("SECRET")', "opensesame"],
    ["a folded text of YAML", "db:\n  password: >-\n    SECRET\n  port: 5432\n", "Vx72!qqa"],
    ["a text of YAML", "stringData:\n  DB_PASSWORD: |\n    SECRET\n", "c0rrecth0rse7"],
    ["an escaped parameter", "GET /cb?next=%2Fa%3Fclient_secret%3DSECRET%26x%3D1", "a8f3k2m9x1q4"],
  ])("is found in %s", async (_, text, secret) => {
    expect(await inTranscript(text.replace("SECRET", secret))).toBe(text.replace("SECRET", HIDDEN));
  });

  it("is found when its signs are escaped as in an address", async () => {
    const { value } = secretOf("github-token", 3);
    const escaped = value.replace("_", "%5F");
    const twice = value.replace("_", "%255F");
    expect(await inTranscript(`curl x?t=${escaped}`)).toBe("curl x?t=[REDACTED:github-token]");
    expect(await inTranscript(`curl x?t=${twice}`)).toBe("curl x?t=[REDACTED:github-token]");
  });

  it.each([
    "src/a.ts:1234:in:main:x1",
    "a.c:1024:5:warning:unused-variable",
    "2001:1234:abcd:ef12:3456:7890:aaaa:bbbb",
    "| password | string | required |\n|---|---|---|\n| token | `abc` | no |",
    "| key | value |\n|---|---|\n| cacheKey | a1b2c3d4e5 |",
    "| Token | Meaning |\n|---|---|\n| PLUS_1 | adds |\n| 2024-01-01 | date |",
    "if (a | password | b) {}\nconst x1y2z3w4 = a | b;",
    'expect(password).toBe("x"); send("hello world")',
    'expect "login:"\nsend "operator\\r"',
    'expect "assword:"\nsend "$password\\r"',
    "password: >-\n    the password of the account\n",
    "token   of the session",
    "https://x.test/a%20b?next=%2Fhome%3Ftab%3D2%26token%3D",
    "100%25 of the tokens%2C all of them",
  ])("near miss: %s", async (text) => {
    expect(await inTranscript(text)).toBe(text);
  });
});
