const WORDS = new Set(
  (
    "password passwd passwort passphrase pass pwd secret token key apikey user username admin root " +
    "changeme change-me placeholder example dummy sample default none null nil undefined true false " +
    "string number boolean required optional redacted hidden removed masked empty unset todo test " +
    "testing foobar basic bearer unknown disabled enabled oauth oauth2 x-oauth-basic postgres"
  ).split(" "),
);

const SHAPES: readonly RegExp[] = [
  /^\$|\$\{|\$\(|\{\{|<%|#\{/, // $VAR, ${var}, $(command), {{var}}, <% var %>, #{var}
  /^%[A-Za-z_(]|^%$|^%?\{.*\}$/, // %VAR%, %s, {var}
  /^<.*>?$|^\[.*\]?$/, // <password>, [password]
  /\.{3}$|\xe2\x80\xa6|^\*+|\*{3}/, // cut off or masked already
  /^(.)\1+$/, // xxxx, ----
  /^x{3,}|[-_]x{3,}$|x{6,}|^0{6,}|^1234567?8?9?0?$|^abc(?:123|def)[a-z0-9]{0,6}$/i,
  /^(?:your|my|the|an?|some|insert|replace|enter|put|add|use)[-_. ]/i,
  /[-_](?:here|goes[-_]here|placeholder|example)$/i,
  /^(?:example|dummy|fake|sample|placeholder|redacted|changeme|change[-_]me|todo|fixme|not[-_]a)/i,
  /EXAMPLE/, // as the pages of AWS write it into all of their keys
  /^(?:process|import\.meta|os|env|config|settings|self|this|ctx|options|args|props|req|request)\b[.[]/,
];

/** What people write where a secret will be: a variable, a mask, a word. */
export function isPlaceholder(value: string): boolean {
  const lower = value.toLowerCase();
  return WORDS.has(lower) || SHAPES.some((shape) => shape.test(value));
}
