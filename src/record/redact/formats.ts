/** A kind of secret that can be told by its shape alone. */
export interface SecretFormat {
  readonly kind: string;
  /** Starts with fixed letters wherever it can: the search for all formats at once lives on that. */
  readonly pattern: string;
  /** What stands before the fixed letters and belongs to the secret. */
  readonly before?: RegExp;
  /** A last look, where the shape alone would be wrong too often. */
  readonly accept?: (match: string) => boolean;
}

const hasDigitAndLetter = (text: string) => /\d/.test(text) && /[A-Za-z]/.test(text);
const notAnExample = (text: string) => !text.endsWith("EXAMPLE");
/** Class names like `sk-loading-dots` are words; keys are not. */
const notWords = (text: string) => /\d/.test(text) && !/^(?:[a-z]+[-_])+[a-z\d]{1,8}$/.test(text);

/**
 * Bodies have no upper end: what hangs on a secret goes with it.
 * Publishable keys (Stripe `pk_`, Supabase `sb_publishable_`) are public by design and not here.
 */
export const FORMATS: readonly SecretFormat[] = [
  {
    kind: "aws-access-key",
    pattern: "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    accept: notAnExample,
  },
  { kind: "github-token", pattern: "gh[pousr]_[A-Za-z0-9_]{30,}" },
  { kind: "github-token", pattern: "github_pat_[A-Za-z0-9_]{22,}" },
  {
    kind: "gitlab-token",
    pattern:
      "gl(?:pat|oas|dt|rtr?|cbt|ptt|ft|imt|agent|soat|ffct|wt)-(?:[a-z0-9]{1,3}_)?[A-Za-z0-9_-]{20,}(?:\\.[A-Za-z0-9.]{2,20})?",
    accept: notWords,
  },
  {
    kind: "slack-token",
    pattern: "xox[abceoprs]-(?:[A-Za-z0-9]{1,60}-){1,5}[A-Za-z0-9]{6,}",
    accept: hasDigitAndLetter,
  },
  { kind: "slack-token", pattern: "xapp-\\d-[A-Za-z0-9]{5,}-\\d{5,}-[A-Za-z0-9]{10,}" },
  {
    kind: "slack-webhook",
    pattern: "hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{20,}",
  },
  {
    kind: "discord-webhook",
    pattern: "discord(?:app)?\\.com/api/webhooks/\\d{10,}/[A-Za-z0-9_-]{20,}",
  },
  { kind: "stripe-key", pattern: "[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}" },
  { kind: "webhook-secret", pattern: "whsec_[A-Za-z0-9+/=_-]{24,}", accept: notWords },
  { kind: "google-api-key", pattern: "AIza[A-Za-z0-9_-]{35,}" },
  { kind: "google-oauth", pattern: "ya29\\.[A-Za-z0-9_-]{20,}" },
  { kind: "google-oauth", pattern: "GOCSPX-[A-Za-z0-9_-]{20,}" },
  { kind: "google-oauth", pattern: "1//0[A-Za-z0-9_-]{30,}" },
  { kind: "npm-token", pattern: "npm_[A-Za-z0-9]{36,}" },
  { kind: "pypi-token", pattern: "pypi-Ag[A-Za-z0-9_-]{50,}" },
  { kind: "rubygems-key", pattern: "rubygems_[a-f0-9]{40,}" },
  { kind: "crates-token", pattern: "cio[A-Za-z0-9]{32}(?![A-Za-z0-9])", accept: mixed },
  { kind: "nuget-key", pattern: "oy2[a-z0-9]{43}(?![A-Za-z0-9])" },
  { kind: "anthropic-key", pattern: "sk-ant-[A-Za-z0-9_-]{20,}", accept: notWords },
  { kind: "openrouter-key", pattern: "sk-or-(?:v\\d-)?[A-Za-z0-9_-]{20,}", accept: notWords },
  {
    kind: "openai-key",
    pattern: "sk-(?:proj|svcacct|admin|service|None)-[A-Za-z0-9_-]{20,}",
    accept: notWords,
  },
  { kind: "openai-key", pattern: "sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20,}" },
  { kind: "openai-key", pattern: "sess-[A-Za-z0-9]{40}(?![A-Za-z0-9])", accept: mixed },
  { kind: "api-key", pattern: "sk[-_][A-Za-z0-9]{20,}", accept: hasDigitAndLetter },
  { kind: "groq-key", pattern: "gsk_[A-Za-z0-9]{40,}" },
  { kind: "xai-key", pattern: "xai-[A-Za-z0-9]{40,}" },
  { kind: "huggingface-token", pattern: "(?:hf|api_org)_[A-Za-z0-9]{30,}" },
  { kind: "perplexity-key", pattern: "pplx-[A-Za-z0-9]{32,}" },
  { kind: "replicate-token", pattern: "r8_[A-Za-z0-9]{30,}" },
  { kind: "tavily-key", pattern: "tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,}" },
  { kind: "langsmith-key", pattern: "lsv2_(?:pt|sk)_[A-Za-z0-9_]{32,}" },
  { kind: "supabase-key", pattern: "sbp_(?:v0_|oauth_)?[a-f0-9]{20,}" },
  { kind: "supabase-key", pattern: "sb_secret_[A-Za-z0-9_-]{16,}", accept: notWords },
  { kind: "sendgrid-key", pattern: "SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}" },
  { kind: "mailgun-key", pattern: "key-[0-9a-f]{32}(?![A-Za-z0-9])" },
  { kind: "twilio-key", pattern: "SK[0-9a-f]{32}(?![A-Za-z0-9])" },
  { kind: "shopify-token", pattern: "shp(?:at|ca|pa|ss|ua|tka)_[A-Za-z0-9]{32,}" },
  { kind: "square-token", pattern: "sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,}" },
  { kind: "digitalocean-token", pattern: "do[opr]_v1_[a-f0-9]{60,}" },
  { kind: "linear-key", pattern: "lin_(?:api|oauth|wh)_[A-Za-z0-9_]{32,}" },
  { kind: "notion-token", pattern: "ntn_[A-Za-z0-9]{40,}" },
  { kind: "notion-token", pattern: "secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])", accept: mixed },
  { kind: "figma-token", pattern: "fig[duo]r?_[A-Za-z0-9_-]{40,}" },
  { kind: "airtable-token", pattern: "pat[A-Za-z0-9]{14}\\.[a-f0-9]{60,}" },
  { kind: "atlassian-token", pattern: "AT(?:ATT3|CTT3|BB)[A-Za-z0-9_=-]{24,}" },
  { kind: "telegram-token", pattern: ":AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])", before: /\d{8,10}$/ },
  { kind: "vault-token", pattern: "hv[sbr]\\.[A-Za-z0-9_-]{24,}" },
  {
    kind: "terraform-token",
    pattern: "\\.atlasv1\\.[A-Za-z0-9_-]{60,}",
    before: /[A-Za-z0-9]{14}$/,
  },
  { kind: "databricks-token", pattern: "dapi[a-fA-F0-9]{32}(?:-\\d)?" },
  { kind: "docker-token", pattern: "dckr_[op]at_[A-Za-z0-9_-]{24,}" },
  { kind: "vercel-token", pattern: "vc[piark]_[A-Za-z0-9]{20,}", accept: hasDigitAndLetter },
  { kind: "netlify-token", pattern: "nfp_[A-Za-z0-9]{36,}" },
  { kind: "fly-token", pattern: "fm[12][ar]?_[A-Za-z0-9+/=_-]{60,}" },
  { kind: "heroku-key", pattern: "HRKU-[A-Za-z0-9_-]{36,}" },
  { kind: "planetscale-token", pattern: "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9._=-]{32,}" },
  { kind: "neon-key", pattern: "napi_[a-z0-9]{50,}" },
  { kind: "doppler-token", pattern: "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,}" },
  { kind: "pulumi-token", pattern: "pul-[a-f0-9]{40}" },
  { kind: "grafana-token", pattern: "glc_[A-Za-z0-9+/]{32,}={0,2}" },
  { kind: "grafana-token", pattern: "glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}" },
  { kind: "newrelic-key", pattern: "NRA[KAL]-[A-Z0-9]{27,}" },
  { kind: "sentry-token", pattern: "sntry[su]_[A-Za-z0-9+/=_-]{40,}" },
  { kind: "postman-key", pattern: "PMAK-[a-f0-9]{24}-[a-f0-9]{34}" },
  { kind: "onepassword-token", pattern: "ops_ey[A-Za-z0-9+/=_-]{80,}" },
  { kind: "age-key", pattern: "AGE-SECRET-KEY-1[0-9A-Z]{50,}" },
  { kind: "azure-key", pattern: "AccountKey=[A-Za-z0-9+/]{80,}={0,2}" },
  { kind: "azure-key", pattern: "\\dQ~[A-Za-z0-9_~.-]{31,}", before: /[A-Za-z0-9_~.]{3}$/ },
  {
    kind: "jwt",
    pattern:
      "ey[JI][A-Za-z0-9_-]{10,4000}\\.(?:[A-Za-z0-9_-]{10,}|(?=\\.))(?:\\.[A-Za-z0-9_-]*){0,3}",
  },
];

function mixed(text: string): boolean {
  return /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);
}
