export const program = {
  command: "pi",
  versionArgs: ["--version"],
  tested: ["0.74.2", "0.74.2"],
} as const;
