import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { KEYS, keyNames } from "./key-table.ts";
import { useKeys } from "./keys.ts";

export const isHelpOpen = signal(false);

const GROUPS = [...new Set(keyNames().map((name) => KEYS[name].group))];

/** All keys of the page. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useKeys({ "page.help": close, "page.close": close });
  return (
    <dialog ref={dialog} aria-label="Keys" onClose={close}>
      <header>
        <h2>Keys</h2>
        <button type="button" class="bare push" onClick={close} aria-label="Close">
          ✕
        </button>
      </header>
      <div class="help">
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {keyNames()
                .filter((name) => KEYS[name].group === group)
                .map((name) => (
                  <>
                    <dt>
                      {KEYS[name].keys.split(" ").map((key, n) => (
                        <kbd key={`${n}${key}`}>{key === "Escape" ? "Esc" : key}</kbd>
                      ))}
                    </dt>
                    <dd>{KEYS[name].about}</dd>
                  </>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  );
}

function close(): void {
  isHelpOpen.value = false;
}
