export { runProgram, useStarter } from "./run-program.ts";
