import { drawFrom, SHAPE_NAMES, secretOf } from "../../src/record/redact/test-kit/secrets.ts";

/** A text with a made-up secret in it, as agents see it. */
export interface Sample {
  /** What the secret is and where it stands: rates are counted for each. */
  readonly group: string;
  readonly place: string;
  /** How the text is written: as it is, coloured, or as a string of JSON. */
  readonly writing: string;
  readonly text: string;
  /** Whether the text is a line of JSON. */
  readonly isJson: boolean;
  /** What must not be left. */
  readonly secret: string;
}

type Place = (secret: string) => string;

const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
const DIGITS = "23456789";

/** What people and programs take as passwords. */
const PASSWORDS: Readonly<Record<string, (seed: number) => string>> = {
  "random password": (seed) => {
    const draw = drawFrom(seed);
    return `${draw(LETTERS, 3)}${draw(DIGITS, 1)}${draw(LETTERS, 3)}${draw(DIGITS, 2)}${draw(LETTERS, 4)}`;
  },
  "password with signs": (seed) => {
    const draw = drawFrom(seed);
    return `${draw(LETTERS, 4)}${draw("!#%+^*", 1)}${draw(DIGITS, 2)}${draw(LETTERS, 3)}${draw("!#%+^*", 1)}`;
  },
  "word and number": (seed) => {
    const draw = drawFrom(seed);
    const words = ["sommer", "Hunter", "dragon", "Falcon", "mango", "Quartz"];
    return `${words[Number(draw("012345", 1))]}${draw(DIGITS, 4)}`;
  },
  "only letters": (seed) => {
    const draw = drawFrom(seed);
    return draw("abcdefghijkmnpqrstuvwxyz", 14);
  },
  "short password": (seed) => {
    const draw = drawFrom(seed);
    return `${draw("abcdefghjkmnpqrstuvwxyz", 3)}${draw(DIGITS, 2)}${draw("abcdefghjkmnpqrstuvwxyz", 1)}`;
  },
};

const TOKEN_PLACES: Readonly<Record<string, Place>> = {
  "in prose": (secret) => `please use ${secret} for the deployment`,
  "env file": (secret) => `NODE_ENV=production\nSERVICE_TOKEN=${secret}\nPORT=8080`,
  "JSON file": (secret) => `{\n  "name": "app",\n  "token": "${secret}"\n}`,
  YAML: (secret) => `service:\n  token: ${secret}\n  port: 8080`,
  shell: (secret) => `$ export TOKEN="${secret}" && make deploy`,
  code: (secret) => `const client = new Client({ token: '${secret}' });`,
  diff: (secret) => `-  token: old\n+  token: ${secret}`,
  "numbered lines": (secret) => `     1→# settings\n     2→token=${secret}`,
  address: (secret) => `GET https://api.example.com/v1/items?access_token=${secret}&page=2`,
  header: (secret) => `> Authorization: Bearer ${secret}\n> Accept: */*`,
  log: (secret) => `[2026-01-02T03:04:05Z] INFO client(${secret}) connected`,
  table: (secret) => `| name | value |\n| key | ${secret} |`,
};

const PASSWORD_PLACES: Readonly<Record<string, Place>> = {
  "password = x": (secret) => `[client]\nuser = app\npassword = ${secret}`,
  "password=x": (secret) => `user=app\npassword=${secret}`,
  DB_PASSWORD: (secret) => `DB_HOST=db\nDB_PASSWORD=${secret}\nDB_NAME=app`,
  "DB_PASSWORD, spaces": (secret) => `DB_PASSWORD = "${secret}"`,
  "DB_PASSWORD in YAML": (secret) => `environment:\n  DB_PASSWORD: ${secret}\n  DB_NAME: app`,
  "JSON file": (secret) => `{ "user": "app", "password": "${secret}" }`,
  YAML: (secret) => `db:\n  user: app\n  password: ${secret}`,
  "YAML, quoted": (secret) => `db:\n  password: "${secret}"`,
  code: (secret) => `const db = connect({ user: "app", password: "${secret}" });`,
  "connection address": (secret) => `postgres://app:${encodeURIComponent(secret)}@db:5432/app`,
  "connection string": (secret) => `Server=db;Database=app;User Id=app;Password=${secret};`,
  "keywords of libpq": (secret) => `host=db dbname=app user=app password=${secret}`,
  "mysql -p": (secret) => `$ mysql -u root -p${quoted(secret)} app < dump.sql`,
  "sshpass -p": (secret) => `$ sshpass -p ${quoted(secret)} ssh app@host uptime`,
  "--password x": (secret) => `$ tool login --user app --password ${quoted(secret)} --yes`,
  "--password=x": (secret) => `$ tool login --password=${quoted(secret)}`,
  "docker login -p": (secret) => `$ docker login -u app -p ${quoted(secret)} registry.example.com`,
  "redis-cli -a": (secret) => `$ redis-cli -h cache -a ${quoted(secret)} ping`,
  "curl -u": (secret) => `$ curl -s -u app:${secret} https://api.example.com`,
  "Authorization: Basic": (secret) => `Authorization: Basic ${base64(`app:${secret}`)}`,
  cookie: (secret) => `Cookie: theme=dark; session=${secret}; lang=de`,
  "set cookie": (secret) => `Set-Cookie: sid=${secret}; Path=/; HttpOnly`,
  netrc: (secret) => `machine api.example.com login app password ${secret}`,
  pgpass: (secret) => `PGPASSWORD=${secret} psql -h db -U app`,
  "docker's login": (secret) => `{"auths":{"x.example.com":{"auth":"${base64(`app:${secret}`)}"}}}`,
  prose: (secret) => `The password is ${secret}`,
};

const AWS_PLACES: Readonly<Record<string, Place>> = {
  credentials: (secret) =>
    `[default]\naws_access_key_id = AKIA${secret
      .slice(0, 16)
      .toUpperCase()
      .replace(/[^A-Z]/g, "Q")}\naws_secret_access_key = ${secret}`,
  table: (secret) => `Access key ID,Secret access key\nAKIAQ3EGRZ5DLVW2YKNT,${secret}`,
  JSON: (secret) => `{"AccessKeyId":"AKIAQ3EGRZ5DLVW2YKNT","SecretAccessKey":"${secret}"}`,
  configure: (secret) => `$ aws configure set aws_secret_access_key ${secret}`,
  prompt: (secret) =>
    `AWS Access Key ID [None]: AKIAQ3EGRZ5DLVW2YKNT\nAWS Secret Access Key [None]: ${secret}`,
};

const CODED_PLACES: Readonly<Record<string, Place>> = {
  "base64 alone": (secret) => `$ echo ${base64(secret)} | base64 -d`,
  "base64 of a file": (secret) => base64(`NODE_ENV=production\nTOKEN=${secret}\n`),
  "base64 in YAML": (secret) => `kind: Secret\ndata:\n  config: ${base64(`token: ${secret}`)}`,
  "base64, wrapped": (secret) =>
    base64(`# ${"settings ".repeat(12)}\nTOKEN=${secret}\n`).replace(/.{76}/g, "$&\n"),
  "coded address": (secret) =>
    `https://x.example.com/cb?state=a%3D${encodeURIComponent(secret)}%26b`,
};

const COLOURS: Readonly<Record<string, (esc: string) => (text: string, secret: string) => string>> =
  {
    "value coloured": (esc) => (text, secret) =>
      text.replace(secret, () => `${esc}[32m${secret}${esc}[0m`),
    "names coloured": (esc) => (text) =>
      text.replace(
        /[A-Za-z_-]*(?:password|token|secret|session|sid)[A-Za-z_-]*(?=["\s:=])/gi,
        (name) => `${esc}[1;34m${name}${esc}[0m`,
      ),
    "line coloured": (esc) => (text) =>
      text
        .split("\n")
        .map((line) => `${esc}[38;5;208m${line}${esc}[0m`)
        .join("\n"),
    "matches coloured": (esc) => (text, secret) => {
      const cut = Math.min(6, secret.length >> 1);
      const marked = `${esc}[01;31m${esc}[K${secret.slice(0, cut)}${esc}[m${esc}[K${secret.slice(cut)}`;
      return text.replace(secret, () => marked);
    },
  };

const ESCAPES: Readonly<Record<string, string>> = {
  "": "\u001b",
  " as \\x1b": "\\x1b",
  " as \\033": "\\033",
};

const quoted = (text: string) => (/^[\w%+-]+$/.test(text) ? text : `'${text}'`);
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** All samples, always the same. */
export function* samples(seeds = 3): Generator<Sample> {
  for (let seed = 1; seed <= seeds; seed++) {
    for (const name of SHAPE_NAMES) {
      const secret = secretOf(name, seed * 7919).value;
      if (secret.includes("\n")) continue;
      yield* written("token", TOKEN_PLACES, secret);
      yield* coded("token in base64 or an address", CODED_PLACES, secret);
    }
    for (const [name, make] of Object.entries(PASSWORDS)) {
      for (let more = 0; more < 4; more++) {
        yield* written(name, PASSWORD_PLACES, make(seed * 104_729 + more));
      }
    }
    const draw = drawFrom(seed * 15_485_863);
    const base = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (let more = 0; more < 10; more++)
      yield* written("AWS secret key", AWS_PLACES, draw(base, 40));
  }
}

function* coded(
  group: string,
  places: Readonly<Record<string, Place>>,
  secret: string,
): Generator<Sample> {
  for (const [place, put] of Object.entries(places)) {
    const text = put(secret);
    const left = text.includes(secret)
      ? secret
      : (text.match(/[A-Za-z0-9+/%]{20,}/g)?.at(-1) ?? "");
    yield { group, place, writing: "plain", text, isJson: false, secret: left };
    yield inJson({ group, place, writing: "plain", text, isJson: false, secret: left });
  }
}

function* written(
  group: string,
  places: Readonly<Record<string, Place>>,
  secret: string,
): Generator<Sample> {
  for (const [place, put] of Object.entries(places)) {
    const text = put(secret);
    const left = leftIn(text, secret);
    const plain: Sample = { group, place, writing: "plain", text, isJson: false, secret: left };
    yield plain;
    yield inJson(plain);
    yield { ...inJson(inJson(plain)), writing: "JSON in JSON" };
    yield { ...inJson(plain), writing: "JSON with \\u escapes", text: escaped(text, left) };
    for (const [escName, esc] of Object.entries(ESCAPES)) {
      for (const [name, colour] of Object.entries(COLOURS)) {
        const writing = `${name}${escName}`;
        const coloured = { ...plain, writing, text: colour(esc)(text, left) };
        yield coloured;
        yield { ...inJson(coloured), writing: `${writing}, JSON` };
      }
    }
  }
}

/** As it stands in the text: some places write it differently. */
function leftIn(text: string, secret: string): string {
  if (text.includes(secret)) return secret;
  const inAddress = encodeURIComponent(secret);
  return text.includes(inAddress) ? inAddress : base64(`app:${secret}`);
}

function inJson({ text, ...rest }: Sample): Sample {
  const line = JSON.stringify({ type: "user", message: { content: text } });
  return { ...rest, text: line, isJson: true, writing: "JSON" };
}

/** The first characters of the secret as escapes nobody needs. */
function escaped(text: string, secret: string): string {
  const line = JSON.stringify({ content: text });
  const inside = JSON.stringify(secret).slice(1, -1);
  const hidden = [...secret]
    .map((char, index) =>
      index % 3 === 2
        ? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
        : JSON.stringify(char).slice(1, -1),
    )
    .join("");
  return line.replace(inside, () => hidden);
}
