/** Files that exist to hold secrets. Lower case; the last part of a path. */
const SECRET_NAMES = [
  /^\.env(\..+)?$/,
  /^\.?(netrc|pgpass|npmrc|pypirc|htpasswd)$/,
  /^(\.git-credentials|\.my\.cnf|kubeconfig)$/,
  /^(id_(rsa|dsa|ecdsa|ed25519)|.*_rsa)$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ovpn|tfstate)$/,
  /^(credentials|secrets?)(\.(json|ya?ml|toml|ini|txt))?$/,
  /^(service-account|client_secret).*\.json$/,
];

/** Examples and templates hold none. */
const HARMLESS = /(^|[._-])(example|sample|template|dist|defaults?)([._-]|$)/;

/**
 * Whether a file looks like one that holds secrets by its name. Such a file is kept out of
 * snapshots unless git knows it already: what is in no commit must not get into git through Seam.
 */
export function isSecretFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return SECRET_NAMES.some((pattern) => pattern.test(name)) && !HARMLESS.test(name);
}
