import fc from "fast-check";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const ALNUM = LOWER + LOWER.toUpperCase() + DIGITS;
const URL64 = `${ALNUM}-_`;
const BASE64 = `${ALNUM}+/`;
const BASE32 = `${LOWER.toUpperCase()}234567`;
const HEX = `${DIGITS}abcdef`;

/** The same characters for the same seed. */
export type Draw = (alphabet: string, length: number) => string;

/** What each service hands out, written down from its documentation, not from the search. */
const SHAPES: Readonly<Record<string, (draw: Draw) => string>> = {
  "aws-access-key": (draw) => `AKIA${draw(BASE32, 15)}Q`,
  "github-token": (draw) => `ghp_${draw(ALNUM, 36)}`,
  "github-token fine": (draw) => `github_pat_${draw(ALNUM, 22)}_${draw(ALNUM, 59)}`,
  "gitlab-token": (draw) => `glpat-${draw(URL64, 19)}7`,
  "slack-token": (draw) => `xoxb-${draw(DIGITS, 12)}-${draw(DIGITS, 13)}-${draw(ALNUM, 24)}`,
  "slack-token app": (draw) =>
    `xapp-1-A${draw(HEX, 10).toUpperCase()}-${draw(DIGITS, 13)}-${draw(HEX, 64)}`,
  "slack-webhook": (draw) =>
    `https://hooks.slack.com/services/T${draw(DIGITS, 9)}/B${draw(DIGITS, 9)}/${draw(ALNUM, 24)}`,
  "stripe-key": (draw) => `sk_live_${draw(ALNUM, 24)}`,
  "stripe-key restricted": (draw) => `rk_test_${draw(ALNUM, 99)}`,
  "google-api-key": (draw) => `AIza${draw(URL64, 35)}`,
  "google-oauth": (draw) => `GOCSPX-${draw(URL64, 28)}`,
  "google-oauth access": (draw) => `ya29.${draw(URL64, 80)}`,
  "npm-token": (draw) => `npm_${draw(ALNUM, 36)}`,
  "pypi-token": (draw) => `pypi-AgEIcHlwaS5vcmc${draw(URL64, 150)}`,
  "anthropic-key": (draw) => `sk-ant-api03-${draw(URL64, 93)}AA`,
  "openai-key": (draw) => `sk-proj-${draw(URL64, 74)}T3BlbkFJ${draw(URL64, 73)}x`,
  "openai-key old": (draw) => `sk-${draw(ALNUM, 20)}T3BlbkFJ${draw(ALNUM, 20)}`,
  "openrouter-key": (draw) => `sk-or-v1-${draw(HEX, 64)}`,
  "groq-key": (draw) => `gsk_${draw(ALNUM, 52)}`,
  "xai-key": (draw) => `xai-${draw(ALNUM, 80)}`,
  "huggingface-token": (draw) => `hf_${draw(LOWER + LOWER.toUpperCase(), 34)}`,
  "supabase-key": (draw) => `sb_secret_${draw(URL64, 22)}_${draw(ALNUM, 7)}1`,
  "supabase-key access": (draw) => `sbp_${draw(HEX, 40)}`,
  "sendgrid-key": (draw) => `SG.${draw(ALNUM, 22)}.${draw(ALNUM, 43)}`,
  "shopify-token": (draw) => `shpat_${draw(HEX, 32)}`,
  "digitalocean-token": (draw) => `dop_v1_${draw(HEX, 64)}`,
  "linear-key": (draw) => `lin_api_${draw(ALNUM, 40)}`,
  "notion-token": (draw) => `ntn_${draw(DIGITS, 11)}${draw(ALNUM, 35)}`,
  "figma-token": (draw) => `figd_${draw(URL64, 43)}`,
  "vault-token": (draw) => `hvs.${draw(URL64, 95)}`,
  "databricks-token": (draw) => `dapi${draw(HEX, 32)}`,
  "docker-token": (draw) => `dckr_pat_${draw(URL64, 27)}`,
  "vercel-token": (draw) => `vcp_${draw(ALNUM, 23)}4`,
  "grafana-token": (draw) => `glsa_${draw(ALNUM, 32)}_${draw(HEX, 8)}`,
  "telegram-token": (draw) => `${draw("123456789", 9)}:AA${draw(URL64, 33)}`,
  "atlassian-token": (draw) => `ATATT3xFfGF0${draw(URL64, 160)}`,
  jwt: (draw) => `eyJ${draw(URL64, 33)}.eyJ${draw(URL64, 60)}.${draw(URL64, 43)}`,
  "private-key": (draw) =>
    `-----BEGIN RSA PRIVATE KEY-----\nMII${draw(BASE64, 61)}\n${draw(BASE64, 64)}\n${draw(BASE64, 24)}\n-----END RSA PRIVATE KEY-----`,
};

export const SHAPE_NAMES: readonly string[] = Object.keys(SHAPES);

export interface Secret {
  /** The kind it is replaced by. */
  readonly kind: string;
  readonly value: string;
}

/** One secret of a shape, the same for the same seed. */
export function secretOf(name: string, seed: number): Secret {
  const shape = SHAPES[name];
  if (!shape) throw new Error(`no shape ${name}`);
  return { kind: name.split(" ")[0] ?? name, value: shape(drawFrom(seed)) };
}

export const secrets: fc.Arbitrary<Secret> = fc
  .tuple(fc.constantFrom(...SHAPE_NAMES), fc.integer())
  .map(([name, seed]) => secretOf(name, seed));

/** The same characters for the same seed. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return (alphabet, length) =>
    Array.from({ length }, () => alphabet[next() % alphabet.length]).join("");
}
