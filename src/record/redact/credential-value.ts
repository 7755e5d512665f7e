import { isPlaceholder } from "./placeholders.ts";

/** How sure the place makes us that a value is a secret. */
export type Place = "environment" | "quoted" | "bare";

const SHORTEST: Readonly<Record<Place, number>> = { environment: 8, quoted: 8, bare: 8 };
/** `access_token`, `auth/token`, `my-secret-v2`, `db.password`: names, not values. */
const NAME = /^[A-Za-z]+(?:[-_./:][A-Za-z]+|[-_./:]?v?\d{1,3}(?=$|[-_./:]))*$/;
const MEMBER = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*|\[[^\]]*\])+[!;,]?$/;
const PATH =
  /^(?:~|\.{1,2})?\/[\w@.-]*(?:\/|$)|^[A-Za-z]:\\|^(?:https?|file|wss?|s3|gs):|^\w+:\/\//;
const ALGORITHM =
  /sha-?\d|md5|aes|hmac|ed25519|rs256|base64|utf-?\d|poly1305|x25519|oauth2|http[12s]/i;
const SYMBOL = /[!@#$%^&*+=~?]/;

/** Whether a value that stands where a secret would is one, and not a name, a variable or code. */
export function isCredential(value: string, place: Place): boolean {
  if (value.length < SHORTEST[place] || isPlaceholder(value)) return false;
  if (PATH.test(value) || isCode(value)) return false;
  if (place === "environment") return !/^\d{1,9}$/.test(value);
  // What starts so is code behind a quote that closed something else.
  if (NAME.test(value) || /\s|^[)\],;}.]/.test(value)) return false;
  if (place === "quoted") return /\d|.[!@#$%^&*+=~?]/.test(value) && /[A-Za-z\d]/.test(value);
  return isMixed(value);
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
