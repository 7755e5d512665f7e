/** Words that end the name of something secret. What follows them makes it something else. */
const ALWAYS =
  "passw(?:or)?d|passwort|passphrase|pwd|secret|api[-_]?key|apikey|credentials?|access[-_]?token|" +
  "auth[-_]?token|refresh[-_]?token|id[-_]?token|bearer[-_]?token|session[-_]?token|" +
  "(?:access|secret|private|encryption|signing|auth|account|master|service|service[-_]?role|anon|" +
  "admin|deploy|license|jwt|hmac|shared|subscription|webhook|client|ssh|gpg|ssl|tls)[-_]?key|token";

/** Names of environment variables go further: there every key is one. */
const IN_ENVIRONMENT = `${ALWAYS}|[-_]key|[-_]pass|[-_]auth|[-_]pat|[-_]dsn`;

/** `SECRET_KEY_BASE`, `PASSWORD_2`, `TOKEN_PROD`. */
const TAIL =
  "(?:[-_]?(?:base|prod|production|dev|development|stag(?:e|ing)|test|live|default|primary|secondary|backup|old|new|value|\\d{1,2}))?";

const NAME_ENDS = new RegExp(`(?:${ALWAYS})${TAIL}$`, "i");
const ENVIRONMENT_NAME_ENDS = new RegExp(`(?:${IN_ENVIRONMENT})${TAIL}$`, "i");
const NOT_SECRET =
  /public|publish|primary[-_]?key$|foreign|sort[-_]?key|cache[-_]?key|csrf|xsrf|old[-_]?pwd|^pwd$|next[-_]?(?:page[-_]?)?token|page[-_]?token|continuation|cancel|tokenizer|(?:max|num|min|total|input|output|cached?)[-_]?tokens?$/i;

/** The last word of a name that could be one: short, because every text is searched for it. */
export const NAME_WORD =
  /pass(?:w(?:or)?[dt]|phrase)?|pwd|secret|key|token|credentials?|[-_](?:auth|pat|dsn)/gi;
/** What may follow that word and still belong to the name. */
export const NAME_TAIL = TAIL;

/** Whether the value under this name is a secret: `client_secret`, `dbPassword`, `apiKey`. */
export function isSecretName(name: string): boolean {
  return NAME_ENDS.test(name) && !NOT_SECRET.test(name);
}

/** The same for environment variables: `STRIPE_KEY`, `NPM_TOKEN`. */
export function isSecretVariable(name: string): boolean {
  return ENVIRONMENT_NAME_ENDS.test(name) && !NOT_SECRET.test(name);
}
