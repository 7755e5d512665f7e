export { type RunningProgram, runProgram, useStarter } from "./run-program.ts";
