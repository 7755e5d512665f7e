import { expect, it } from "vitest";
import { isSecretFile } from "./secret-file.ts";

it.each([
  ".env",
  "a/.ENV.local",
  ".git-credentials",
  "home/.my.cnf",
  "kubeconfig",
  "infra/terraform.tfstate",
  "id_ed25519",
  "certs/prod.pem",
  "credentials.json",
])("%s is named like a file of secrets", (path) => {
  expect(isSecretFile(path)).toBe(true);
});

it.each([
  ".env.example",
  ".envrc",
  "docker/my.cnf",
  "prod.tfvars",
  "git-credentials.md",
  "src/credentials.ts",
  "kubeconfig.go",
])("%s is not", (path) => {
  expect(isSecretFile(path)).toBe(false);
});
