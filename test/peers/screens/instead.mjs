const { PEER_INSTEAD_OF: provider = "", PEER_MODEL: model = "" } = process.env;
let { fetch } = globalThis;

function redirected(input, init) {
  const url = input instanceof Request ? input.url : String(input);
  if (!url.startsWith(provider)) return fetch(input, init);
  const here = model + url.slice(provider.length);
  return fetch(input instanceof Request ? new Request(here, input) : here, init);
}

// A program may put a fetch of its own in the place of Node's.
Object.defineProperty(globalThis, "fetch", {
  configurable: true,
  get: () => redirected,
  set: (own) => {
    fetch = own;
  },
});
