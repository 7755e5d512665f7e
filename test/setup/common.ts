import { availableParallelism } from "node:os";

// Certificates for the registry are read by every Node that starts, which takes it longer than all
// else, and no test connects to anything but this machine.
delete process.env.NODE_EXTRA_CA_CERTS;

/** Files at once where they mostly compute: one waits for a program that it started now and then. */
export const COMPUTING = availableParallelism() + 1;
/** Files at once where they mostly wait for programs: while they do, others compute. */
export const WAITING = 2 * availableParallelism() + 1;

/** What is the same for all tests, whichever command runs them. */
export const common = {
  // What the sources compile to is kept between runs, by their content.
  experimental: { fsModuleCache: true },
  // As long as `vi.waitFor` waits, which `patience.ts` sees to.
  expect: { poll: { timeout: 60_000 } },
} as const;
