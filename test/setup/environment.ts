/** The variables this process was started with; files of tests that share it may change them. */
export const environment: Readonly<NodeJS.ProcessEnv> = { ...process.env };
