export interface PluginLimits {
  /** How long a hook whose answer counts is waited for. A person may have to be asked. */
  readonly gateMs: number;
  /** How long any other hook is waited for. */
  readonly tellMs: number;
  /** A daemon that says nothing for so long is asked whether it is still there. */
  readonly silenceMs: number;
  /** How long a daemon that died over a hook may take to come back. */
  readonly startMs: number;
  /** After the client could not start a daemon, only hooks that can block wait for it again so soon. */
  readonly pauseMs: number;
  /** How long the end of a session, or a hook whose answer counts, waits for what came before. */
  readonly lingerMs: number;
}

export const PLUGIN_LIMITS: PluginLimits = {
  gateMs: 600_000,
  tellMs: 5_000,
  silenceMs: 10_000,
  startMs: 4_000,
  pauseMs: 30_000,
  lingerMs: 1_000,
};

/** The first line of every file that Seam writes into an agent's folders. */
export function pluginHead(agentType: string): string {
  return `// agentseam: tells Seam what ${agentType} does. Written by "seam enable", removed by "seam disable".`;
}

/**
 * The part of a plugin that talks to the daemon, as JavaScript that any engine of the last years
 * runs. It imports nothing at the top, so that it cannot fail to load, and `ask` never throws:
 * it resolves with the daemon's answer, or with nothing. Hooks whose answer does not count need
 * not be waited for: they arrive in their order, and before the next one that is waited for.
 */
export function pluginLink(agent: string, limits: PluginLimits): string {
  return String.raw`
function seamLink() {
  var AGENT = ${JSON.stringify(agent)};
  var LIMITS = ${JSON.stringify(limits)};
  var ABSENT = { absent: true };
  var BROKEN = { broken: true };
  var modules;
  var gaveUpAt = 0;
  var count = 0;

  function load() {
    if (!modules) {
      modules = Promise.all([
        import("node:http"),
        import("node:fs"),
        import("node:os"),
        import("node:child_process"),
      ]).then(function (all) {
        var home = process.env.SEAM_HOME || all[2].homedir() + "/.seam";
        return { http: all[0], fs: all[1], spawn: all[3].spawn, home: home, run: home + "/run" };
      });
    }
    return modules;
  }

  function textOf(value) {
    var plain = function (_, item) {
      if (typeof item === "bigint") return String(item);
      return typeof AbortSignal === "function" && item instanceof AbortSignal ? undefined : item;
    };
    try {
      return JSON.stringify(value, plain);
    } catch (_) {
      var seen = new WeakSet();
      return JSON.stringify(value, function (key, item) {
        if (item && typeof item === "object") {
          if (seen.has(item)) return undefined;
          seen.add(item);
        }
        return plain(key, item);
      });
    }
  }

  function read(seam, path) {
    try {
      return seam.fs.readFileSync(path, "utf8");
    } catch (_) {
      return undefined;
    }
  }

  function recordIn(text) {
    if (!text || !text.trim()) return {};
    var value = JSON.parse(text);
    if (!value || typeof value !== "object" || Array.isArray(value)) throw new Error("no answer");
    return value;
  }

  // Resolves with what the daemon says; ABSENT if nobody is there; BROKEN if it died over it;
  // undefined if what it says makes no sense or takes too long.
  function send(seam, query, body, limitMs) {
    var token = read(seam, seam.run + "/token");
    if (token === undefined) return Promise.resolve(ABSENT);
    return new Promise(function (resolve) {
      var request;
      var timer = setTimeout(function () {
        done(undefined);
        if (request) request.destroy();
      }, limitMs);
      // A handler may take its time, as long as the daemon itself is not stuck.
      var watch = setInterval(function () {
        // One that ends takes no calls any more, and still gives its last answers.
        isThere(seam, LIMITS.silenceMs * 0.9, true).then(function (there) {
          if (there) return;
          done(undefined);
          if (request) request.destroy();
        });
      }, LIMITS.silenceMs);
      function done(value) {
        clearTimeout(timer);
        clearInterval(watch);
        resolve(value);
      }
      request = seam.http.request(
        {
          socketPath: seam.run + "/daemon.sock",
          path: "/v1/hook?" + query,
          method: "POST",
          agent: false,
          headers: {
            host: "localhost",
            "content-type": "application/json",
            "content-length": Buffer.byteLength(body),
            "x-seam-token": token.trim(),
          },
        },
        function (response) {
          var parts = [];
          response.on("data", function (part) {
            parts.push(part);
          });
          response.on("aborted", function () {
            done(BROKEN);
          });
          response.on("error", function () {
            done(BROKEN);
          });
          response.on("end", function () {
            try {
              var text = Buffer.concat(parts).toString("utf8");
              done(response.statusCode === 200 ? recordIn(text) : undefined);
            } catch (_) {
              done(undefined);
            }
          });
        },
      );
      request.on("error", function (error) {
        var told = String(error && error.code) + " " + String(error && error.message);
        done(/ECONNRESET|EPIPE|hang up/.test(told) ? BROKEN : ABSENT);
      });
      request.end(body);
    });
  }

  function isThere(seam, limitMs, ifRefused) {
    return new Promise(function (resolve) {
      var request = seam.http.request(
        { socketPath: seam.run + "/daemon.sock", path: "/", agent: false, headers: { host: "localhost" } },
        function (response) {
          response.resume();
          resolve(true);
        },
      );
      request.on("error", function () {
        resolve(Boolean(ifRefused));
      });
      setTimeout(function () {
        resolve(false);
        request.destroy();
      }, limitMs || 500);
      request.end();
    });
  }

  function pause(ms) {
    return new Promise(function (resolve) {
      setTimeout(resolve, ms);
    });
  }

  function spawn(seam, args, options) {
    var program = ["/bin/hook", "/spare/hook"]
      .map(function (name) {
        return seam.home + name;
      })
      .find(seam.fs.existsSync);
    if (!program) return undefined;
    var at = options.cwd && seam.fs.existsSync(options.cwd) ? { cwd: options.cwd } : {};
    // Apart from the agent's processes: what is under way is finished also if the agent is stopped.
    return seam.spawn(program, args, Object.assign(at, { detached: true, stdio: options.stdio }));
  }

  // A daemon that died over a hook is started again, by us or by whoever is first.
  async function wake(seam) {
    var child = spawn(seam, ["--start"], { stdio: "ignore" });
    if (child) {
      child.on("error", function () {});
      child.unref();
    }
    for (var until = Date.now() + LIMITS.startMs; Date.now() < until; ) {
      if (await isThere(seam)) return true;
      await pause(50);
    }
    return false;
  }

  // The client of all other agents keeps the hook, starts a daemon and knows what to do without one.
  function viaClient(seam, hook, body, options, limitMs) {
    return new Promise(function (resolve) {
      var child = spawn(seam, [AGENT, hook], { cwd: options.cwd, stdio: ["pipe", "pipe", "ignore"] });
      if (!child) return resolve(undefined);
      var parts = [];
      var timer = setTimeout(function () {
        done(undefined);
      }, limitMs);
      function done(value) {
        clearTimeout(timer);
        child.unref();
        child.stdout.destroy();
        resolve(value);
      }
      child.on("error", function () {
        done(undefined);
      });
      child.on("close", function () {
        try {
          done(recordIn(Buffer.concat(parts).toString("utf8")));
        } catch (_) {
          done(undefined);
        }
      });
      child.stdout.on("data", function (part) {
        parts.push(part);
      });
      child.stdout.on("error", function () {});
      child.stdin.on("error", function () {});
      child.stdin.end(body);
    });
  }

  // What to do without an answer: nothing, unless the user wants gates closed in this folder.
  function withoutAnswer(seam, hook, cwd) {
    var list = read(seam, seam.run + "/block");
    if (list === undefined) return undefined;
    var roots = list.split("\n").filter(Boolean);
    var closed = roots.some(function (root) {
      return root === "/" || cwd === root || String(cwd).indexOf(root + "/") === 0;
    });
    if (roots.length > 0 && !closed) return undefined;
    var prepared = read(seam, seam.run + "/unavailable/" + AGENT + "." + hook);
    try {
      var answer = recordIn(prepared && prepared.slice(prepared.indexOf("\n") + 1));
      if (Object.keys(answer).length > 0) return answer;
    } catch (_) {}
    return { refuse: "Seam is not running, and it must be asked first. Run: seam daemon start" };
  }

  async function deliver(hook, body, options) {
    var seam;
    try {
      seam = await load();
      var id = AGENT + "-" + process.pid + "-" + Date.now() + "-" + ++count;
      var query =
        "agent=" + AGENT + "&hook=" + encodeURIComponent(hook) + "&pid=" + process.pid + "&id=" + id;
      var limit = options.gate ? LIMITS.gateMs : LIMITS.tellMs;
      var reply = await send(seam, query, body, limit);
      // The next daemon recognises the hook by its id.
      if (reply === BROKEN && (await wake(seam))) reply = await send(seam, query, body, limit);
      if (reply === ABSENT || reply === BROKEN) {
        var asked = viaClient(seam, hook, body, options, limit);
        // A gate is never given up here: the client knows whether a daemon is still on its way.
        var hopeless = !options.closes && Date.now() - gaveUpAt < LIMITS.pauseMs;
        reply = hopeless ? undefined : await asked;
        if (!hopeless && !(await isThere(seam))) gaveUpAt = Date.now();
      }
      if (reply) return reply;
    } catch (_) {}
    try {
      return seam && options.closes ? withoutAnswer(seam, hook, options.cwd) : undefined;
    } catch (_) {
      return undefined;
    }
  }

  var line = Promise.resolve();

  return {
    ask: async function (hook, payload, options) {
      try {
        // The payload is written as text now, because it may change before it is sent.
        var body = textOf(payload);
        if (!options.gate) {
          line = line.then(function () {
            return deliver(hook, body, options);
          });
          return await line;
        }
        await Promise.race([line, pause(LIMITS.lingerMs)]);
        return await deliver(hook, body, options);
      } catch (_) {
        return undefined;
      }
    },
    lingerMs: LIMITS.lingerMs,
    pause: pause,
  };
}
`;
}
