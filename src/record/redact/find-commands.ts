import { isPlaceholder } from "./placeholders.ts";
import type { Span } from "./span.ts";

/** Programs that take a password on their command line under a name that does not say so. */
interface Command {
  /** Fits what stands before the flag, from the program's name on. */
  readonly program: RegExp;
  /** From the flag up to the password. */
  readonly flag: RegExp;
}

const NAME = "(?:^|[^A-Za-z0-9_-])";
const program = (names: string) => new RegExp(`${NAME}(?:${names})(?=[ \\t]|$)`);

const COMMANDS: readonly Command[] = [
  {
    program: program("mysql(?:dump|admin|import|show|check|sh|pump)?|mariadb(?:-[a-z]+)?|7z[az]?"),
    flag: /-p/y,
  },
  { program: program("sshpass"), flag: /-p[ \t]?/y },
  {
    program: program(
      "(?:docker|podman|buildah|nerdctl|skopeo|oras|helm|crane|az|oc)[ \\t](?:.{0,100}[ \\t])?login",
    ),
    flag: /-p[ \t]+/y,
  },
  {
    program: program("mongo(?:sh|dump|restore|export|import|stat|top|files)?"),
    flag: /-p[ \t]+/y,
  },
  { program: program("(?:redis|valkey|keydb)-cli"), flag: /(?:-a|--pass)[ \t]+/y },
  {
    program: program("ldap(?:search|add|modify|delete|passwd|whoami|compare)"),
    flag: /-w[ \t]+/y,
  },
  { program: program("sqlcmd|bcp|osql"), flag: /-P[ \t]?/y },
  { program: program("zip|unzip"), flag: /-P[ \t]+/y },
  { program: program("keytool|jarsigner"), flag: /-(?:store|key|new)pass[ \t]+/y },
  { program: program("openssl"), flag: /-pass(?:in|out)?[ \t]+\\*["']?pass:/y },
  {
    program: program("curl|https?|wget|xh"),
    flag: /(?:-[uaU]|--(?:proxy-)?user|--auth)[ =]?\\*["']?[^\s:"'\\]{1,128}:/y,
  },
  { program: program("smbclient|rpcclient"), flag: /-U[ \t]?\\*["']?[^\s%"'\\]{1,64}%/y },
];

/** What all of these flags begin with. */
const FLAG = /[ \t]-(?=[paPwuU]|-pass|-user|-proxy-user|-auth|storepass|keypass|newpass)/g;
/** Where one command ends and the next one begins. */
const BETWEEN = /[\n;|&<>]/;
const LONGEST_BEFORE = 300;
/** Quoted in any way, or up to the next space. */
const VALUE = /(\\*["'])([^\n"'\\]{1,256})\1|([^\s"'`|;&<>()\\]{1,256})/y;
const SHORTEST = 4;

/** Passwords that programs are given as arguments: `mysql -psecret`, `curl -u name:secret`. */
export function findCommandPasswords(text: string): Span[] {
  const spans: Span[] = [];
  FLAG.lastIndex = 0;
  for (let match = FLAG.exec(text); match; match = FLAG.exec(text)) {
    const flagAt = match.index + 1;
    const line = text.slice(Math.max(0, match.index - LONGEST_BEFORE), match.index);
    const command = line.split(BETWEEN).at(-1) ?? "";
    const span = passwordAt(text, flagAt, command);
    if (!span) continue;
    spans.push(span);
    FLAG.lastIndex = span.end;
  }
  return spans;
}

function passwordAt(text: string, flagAt: number, before: string): Span | undefined {
  for (const { program, flag } of COMMANDS) {
    flag.lastIndex = flagAt;
    if (!flag.test(text) || !program.test(before)) continue;
    VALUE.lastIndex = flag.lastIndex;
    const found = VALUE.exec(text);
    const value = found?.[2] ?? found?.[3] ?? "";
    if (value.length < SHORTEST || value.startsWith("-") || isPlaceholder(value)) continue;
    const end = VALUE.lastIndex - (found?.[1]?.length ?? 0);
    return { start: end - value.length, end, kind: "credential" };
  }
  return undefined;
}
