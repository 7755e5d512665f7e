import {
  type AgentApp,
  agent as agentApp,
  type ClientCapabilities,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type SessionInfo,
  type Stream,
} from "@agentclientprotocol/sdk";
import {
  type AcpClient,
  AcpSession,
  type OpenedSession,
  type OpenRequest,
  type SessionRequest,
} from "./acp-session.ts";

/** What the protocol needs of the program around it. */
interface AcpHost {
  readonly version: string;
  readonly open: (request: SessionRequest) => Promise<OpenedSession>;
  readonly list: (cwd: string | undefined) => SessionInfo[];
}

/** Sessions are listed in pages of this size. */
const PAGE = 50;

/** Speaks the Agent Client Protocol until the client is gone; then every session is ended. */
export async function serveAcp(host: AcpHost, stream: Stream): Promise<void> {
  const sessions = new Map<string, AcpSession>();
  const connection = handlers(host, sessions).connect(stream);
  await connection.closed;
  await Promise.all([...sessions.values()].map((session) => session.close()));
}

function handlers({ version, open, list }: AcpHost, sessions: Map<string, AcpSession>): AgentApp {
  let capabilities: ClientCapabilities = {};
  const known = (id: string): AcpSession => {
    const session = sessions.get(id);
    if (!session) throw RequestError.sessionNotFound(id);
    return session;
  };
  const begin = async (context: AcpClient["context"], request: OpenRequest, history = false) => {
    const before = request.resume === undefined ? undefined : sessions.get(request.resume);
    const session = before ?? (await AcpSession.open(open, request, { context, capabilities }));
    sessions.set(session.id, session);
    if (history) session.tellHistory();
    // After the answer: before it the client does not know the session.
    setImmediate(() => session.tellOffers());
    return session;
  };
  return agentApp({ name: "seam" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      capabilities = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: "seam", title: "Seam", version },
        agentCapabilities: {
          loadSession: true,
          mcpCapabilities: { http: true, sse: false },
          promptCapabilities: { image: true, embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {}, close: {} },
        },
        authMethods: [],
      };
    })
    .onRequest(methods.agent.session.new, async ({ params, client }) => {
      const { cwd, mcpServers } = params;
      const session = await begin(client, { cwd, mcpServers });
      return { sessionId: session.id, configOptions: session.configOptions };
    })
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      const { cwd, mcpServers, sessionId } = params;
      const session = await begin(client, { cwd, mcpServers, resume: sessionId }, true);
      return { configOptions: session.configOptions };
    })
    .onRequest(methods.agent.session.resume, async ({ params, client }) => {
      const { cwd, mcpServers = [], sessionId } = params;
      const session = await begin(client, { cwd, mcpServers, resume: sessionId });
      return { configOptions: session.configOptions };
    })
    .onRequest(methods.agent.session.list, ({ params }) => {
      const from = Number(params.cursor ?? 0) || 0;
      const all = list(params.cwd ?? undefined);
      const next = from + PAGE;
      return {
        sessions: all.slice(from, next),
        ...(next < all.length && { nextCursor: String(next) }),
      };
    })
    .onRequest(methods.agent.session.close, async ({ params }) => {
      const session = known(params.sessionId);
      sessions.delete(params.sessionId);
      await session.close();
      return {};
    })
    .onRequest(methods.agent.session.setConfigOption, async ({ params }) => {
      const session = known(params.sessionId);
      await session.setConfigOption(params);
      return { configOptions: session.configOptions };
    })
    .onRequest(methods.agent.session.prompt, async ({ params }) => ({
      stopReason: await known(params.sessionId).prompt(params),
    }))
    .onNotification(methods.agent.session.cancel, ({ params }) => known(params.sessionId).cancel());
}
