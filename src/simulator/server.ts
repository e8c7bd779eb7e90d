import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerChat } from './chats/chat.ts';
import { answerConversation, isConversationPath } from './kept/conversations.ts';
import { answerFast } from './chats/fast.ts';
import { answerGemini, answerGeminiModels } from './chats/gemini.ts';
import { geminiPath } from './chats/gemini-path.ts';
import { createJournal } from './journal.ts';
import { answerKept, isKeptPath } from './kept/kept-responses.ts';
import { refusedAt } from './makers/refused-by-maker.ts';
import { mediaAt, readFormFields } from './media/media.ts';
import { isMessagesPath, messagesPath } from './chats/messages-path.ts';
import { answerMessages, answerMessagesCount, answerMessagesModels } from './chats/messages.ts';
import { answerBalance, answerCompletion, answerEmbeddings, answerModels } from './other-endpoints.ts';
import { speakRealtime } from './realtime.ts';
import { answerResponses } from './chats/responses.ts';
import { ownFormatAt } from './own-formats/own-formats.ts';
import { scriptOf } from './scripts.ts';
import { createTasks } from './media/tasks.ts';
import { asJson, sendError, sendJson, type Call, type Json } from './wire.ts';

const KEEP_ALIVE_MS = 120_000;

export interface SimulatorOptions {
  /** Tokens a second of normal answers; 0 for as fast as possible. */
  readonly speed: number;
}

/** The fake upstream as a server that does not listen yet. */
export const createSimulator = ({ speed }: SimulatorOptions): Server => {
  const journal = createJournal();
  const answerTask = createTasks();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://simulator').pathname;
    if (path.startsWith('/__simulator/')) return control(path, response);
    const bytes = await readBody(request);
    if (request.method === 'POST' && answerFast(response, bytes)) return journal.counted();
    const body = bodyOf(request, bytes);
    const model = modelOf(request, path, body ?? {});
    journal.arrived(request, response, model, body ?? bytes.toString());
    if (body === undefined)
      return sendError(response, 400, { message: 'We could not parse the JSON body of your request.' });
    if (answerTask(request, response, path, body)) return;
    const refused = refusedAt(path, body);
    if (refused !== undefined) return sendError(response, 400, { message: refused });
    const call: Call = {
      request,
      response,
      path,
      body,
      model,
      stream: isStream(path, body),
      key: keyOf(request),
      speed,
    };
    const own = ownFormatAt(request.method, path);
    if (own !== undefined) own(call, bytes.toString());
    else await answer(call);
  };

  const control = (path: string, response: ServerResponse): void => {
    if (path === '/__simulator/trap') journal.trapped();
    if (path === '/__simulator/reset') journal.reset();
    sendJson(response, 200, journal.report());
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else sendError(response, 500, { message: String(thrown), type: 'simulator_error' });
    });
  });
  server.on('connection', (socket) => journal.connected((closed) => socket.once('close', closed)));
  speakRealtime(server);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = 0;
  return server;
};

const answer = async (call: Call): Promise<void> => {
  const chosen = scriptOf(call.model);
  if (chosen !== undefined) return chosen.script.run(call, chosen.argument);
  if (/invalid|revoked/.test(call.key)) {
    return sendError(call.response, 401, { message: 'Incorrect API key provided.', code: 'invalid_api_key' });
  }
  if (isMessagesPath(call.path)) return answerMessages(call);
  if (call.path.endsWith('/messages/count_tokens')) return answerMessagesCount(call);
  const { method } = geminiPath(call.path) ?? {};
  if (method !== undefined) return answerGemini(call, method);
  if (call.path.endsWith('/v1beta/models')) return answerGeminiModels(call);
  if (call.path.endsWith('/models'))
    return call.request.headers['anthropic-version'] === undefined
      ? answerModels(call)
      : answerMessagesModels(call);
  if (isKeptPath(call.path)) return answerKept(call);
  if (isConversationPath(call.path)) return answerConversation(call);
  if (answerBalance(call)) return;
  if (call.model === '')
    return sendError(call.response, 400, { message: 'you must provide a model parameter', param: 'model' });
  if (call.path.endsWith('/chat/completions')) return answerChat(call);
  if (call.path.endsWith('/completions')) return answerCompletion(call);
  if (call.path.endsWith('/responses')) return answerResponses(call);
  if (call.path.endsWith('/embeddings')) return answerEmbeddings(call);
  const media = mediaAt(call.path);
  if (media !== undefined) return media(call);
  sendError(call.response, 404, { message: `Invalid URL (${call.request.method ?? ''} ${call.path})` });
};

const isStream = (path: string, body: Json): boolean =>
  messagesPath(path)?.stream ??
  (body['stream'] === true || geminiPath(path)?.method === 'streamGenerateContent');

const bodyOf = (request: IncomingMessage, bytes: Buffer): Json | undefined => {
  if (isForm(request)) return readFormFields(bytes);
  return request.headers['content-type'] === 'application/x-www-form-urlencoded'
    ? Object.fromEntries(new URLSearchParams(bytes.toString()))
    : parse(bytes);
};

const isForm = ({ headers }: IncomingMessage): boolean =>
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
};

const parse = (bytes: Buffer): Json | undefined => {
  if (bytes.length === 0) return {};
  try {
    return asJson(JSON.parse(bytes.toString()));
  } catch {
    return undefined;
  }
};

/** A script may be asked for by header; Azure has its model in the path. */
const modelOf = (request: IncomingMessage, path: string, body: Json): string => {
  const script = request.headers['x-simulator-script'];
  if (typeof script === 'string') return `fault-${script}`;
  if (typeof body['model'] === 'string') return body['model'];
  return (
    messagesPath(path)?.model ??
    geminiPath(path)?.model ??
    decodeURIComponent(/\/deployments\/([^/]+)\//.exec(path)?.[1] ?? '')
  );
};

const keyOf = (request: IncomingMessage): string => {
  const key =
    request.headers.authorization ??
    request.headers['api-key'] ??
    request.headers['x-api-key'] ??
    request.headers['x-goog-api-key'] ??
    '';
  return String(key).replace(/^Bearer\s+/i, '');
};
