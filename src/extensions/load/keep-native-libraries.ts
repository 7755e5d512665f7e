import { readFileSync } from "node:fs";
import { constants } from "node:os";

/** RTLD_NODELETE of glibc, which Node does not name. Other systems never take such a library away. */
const STAYS = 0x1000;

/** A library with one of these can be loaded once more; an older kind registers only at its first load. */
const REGISTERS = ["napi_register_module_v1", "node_register_module_v"];

/**
 * For threads in which extensions run and which end before the process does: keeps native libraries where
 * they are. Node takes them away with the thread, whose own end then calls what some of them left for it
 * (Rust's do), and that would end the whole process.
 */
export function keepNativeLibraries(): void {
  if (process.platform !== "linux") return;
  const open = process.dlopen;
  process.dlopen = (module, file, flags = constants.dlopen.RTLD_LAZY) =>
    open.call(process, module, file, canLoadAgain(file) ? flags | STAYS : flags);
}

function canLoadAgain(file: string): boolean {
  try {
    const library = readFileSync(file);
    return REGISTERS.some((name) => library.includes(name));
  } catch {
    // Whoever opens it says what is wrong with it.
    return false;
  }
}
