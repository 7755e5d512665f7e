import { isPlaceholder } from "./placeholders.ts";

/**
 * How sure the place makes us that a value is a secret.
 * - environment: `DB_PASSWORD=…`: nothing else stands there.
 * - setting: `DB_PASSWORD: …`, `--password=…`: hardly anything else does.
 * - quoted: `password: "…"`: also names and texts.
 * - bare: `password: …`: also code and prose.
 */
export type CredentialContext = "environment" | "setting" | "quoted" | "bare";

/** Keys and tokens are made by programs; passwords by people, and shorter. */
const SHORTEST = 8;
const SHORTEST_PASSWORD = 6;
/** What people call the thing that they have to remember. */
const PASSWORD_NAME = /(?:pass(?:w(?:or)?[dt]|phrase)?|pwd)(?:[-_]?\w{1,12})?$/i;
const WORD = /^[a-z]{10,}$/;

/** Whether the value of this name is thought up by people. */
export function isPasswordName(name: string): boolean {
  return PASSWORD_NAME.test(name);
}

/** `access_token`, `auth/token`, `my-secret-v2`, `db.password`: names, not values. */
const NAME = /^[A-Za-z]+(?:[-_./:][A-Za-z]+|[-_./:]?v?\d{1,3}(?=$|[-_./:]))*$/;
const MEMBER = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*|\[[^\]]*\])+[!;,]?$/;
const PATH =
  /^(?:~|\.{1,2})?\/[\w@.-]*(?:\/|$)|^[A-Za-z]:\\|^(?:https?|file|wss?|s3|gs|urn):|^\w+:\/\//;
const ALGORITHM =
  /sha-?\d|md5|aes|hmac|ed25519|rs256|base64|utf-?\d|poly1305|x25519|oauth2|http[12s]/i;
/** `0x8803`, `1.2.840.113549`. */
const NUMBER = /^0x[0-9a-f]+$|^\d+(?:\.\d+)+$/i;
const SYMBOL = /[!@#$%^&*+=~?]/;

/** Whether a value that stands where a secret would is one, and not a name, a variable or code. */
export function isCredential(value: string, place: CredentialContext, isPassword = false): boolean {
  if (value.length < (isPassword ? SHORTEST_PASSWORD : SHORTEST)) return false;
  if (isPlaceholder(value) || PATH.test(value) || isCode(value)) return false;
  if (place === "environment") return !/^\d{1,9}$/.test(value);
  if (NUMBER.test(value)) return false;
  // One word in small letters; a name would say what it names.
  if (place === "setting" && WORD.test(value)) return !/pass|pwd|secret|token|key|cred/.test(value);
  // What starts so is code behind a quote that closed something else.
  if (NAME.test(value) && !isShortPassword(value, isPassword)) return false;
  if (/\s|^[)\],;}.]/.test(value)) return false;
  if (place === "quoted") return /\d|.[!@#$%^&*+=~?]/.test(value) && /[A-Za-z\d]/.test(value);
  return isMixed(value) || isShortPassword(value, isPassword);
}

/** `kx47p`: letters and digits that make no name. */
function isShortPassword(value: string, isPassword: boolean): boolean {
  return isPassword && /^[A-Za-z]*(?:\d+[A-Za-z]+){1,8}\d*$/.test(value) && !ALGORITHM.test(value);
}

/** `config.token`, `headers.Authorization`. A JWT has dots too, and no names between them. */
export function isCode(value: string): boolean {
  return MEMBER.test(value) && !/^ey[IJ]/.test(value);
}

/** Outside quotes identifiers are everywhere: letters and digits must alternate as they do in none. */
function isMixed(value: string): boolean {
  const letters = value.replace(/[^A-Za-z]/g, "").length;
  const digits = value.replace(/\D/g, "").length;
  if (letters === 0 || ALGORITHM.test(value)) return false;
  if (digits === 0) return false;
  const changes = value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return changes >= 3 || SYMBOL.test(value) || /^[A-Za-z]+\d{3,}$/.test(value);
}
