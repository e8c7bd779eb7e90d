import { createHmac } from 'node:crypto';
import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import { type ConnectSocket, sendText } from '#core/outbound/message-socket.ts';
import type { AuthorizeTools, OutboundReply, OutboundRequest } from '#core/outbound/outbound.ts';
import { channelType } from '#contract/channel-types.ts';
import { textOf, type Fields } from '#core/json/fields.ts';
import { eventsReply, wholeReply } from '../shared/reply/synthetic-reply.ts';
import { MessageQueue } from './message-queue.ts';
import { asChunk, errorBody, isPlainTalk, readSpark, statusOfCode, writeSpark } from './spark-messages.ts';
import type { SparkPiece } from './spark-messages.ts';
import { sentFields } from '../shared/request/sent-fields.ts';
import { withoutEnd } from '#contract/without-end.ts';

const HOST = 'wss://spark-api.xf-yun.com';
const FIRST_MESSAGE_MS = 600_000;
const IDLE_MS = 300_000;
const DONE = Buffer.from('data: [DONE]\n\n');

/** The WebSocket path of each model (www.xfyun.cn/doc/spark/Web.html, X1ws.html). */
const PATHS: Readonly<Record<string, string>> = {
  lite: '/v1.1/chat',
  generalv2: '/v2.1/chat',
  generalv3: '/v3.1/chat',
  'pro-128k': '/chat/pro-128k',
  'generalv3.5': '/v3.5/chat',
  'max-32k': '/chat/max-32k',
  '4.0Ultra': '/v4.0/chat',
  x1: '/v1/x1',
  'spark-x': '/v1/x1',
};

/** The three parts of a key that signs. */
export interface SparkKey {
  readonly appId: string;
  readonly secret: string;
  readonly apiKey: string;
}

/** `APPID|APISecret|APIKey`; undefined for an APIPassword, which is one secret. */
export const readSparkKey = (channel: Channel): SparkKey | undefined => {
  const [appId = '', secret = '', apiKey = ''] = channel.key.reveal().trim().split('|');
  return secret === '' || apiKey === '' ? undefined : { appId, secret, apiKey };
};

/**
 * The URL with a signature in its query (www.xfyun.cn/doc/spark/general_url_authentication.html): the host, the date and
 * the request line are signed.
 */
const signedUrl = (url: URL, { secret, apiKey }: SparkKey, nowMs: number): string => {
  const date = new Date(nowMs).toUTCString();
  const signed = `host: ${url.host}\ndate: ${date}\nGET ${url.pathname} HTTP/1.1`;
  const signature = createHmac('sha256', secret).update(signed).digest('base64');
  const proof = `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`;
  const query = new URLSearchParams({
    authorization: Buffer.from(proof).toString('base64'),
    date,
    host: url.host,
  });
  return `${url.toString()}?${query.toString()}`;
};

/**
 * Sends a chat over a WebSocket where the key signs, the model has a WebSocket path and the chat holds nothing that only
 * HTTP takes; any other goes over HTTP. The answer is in OpenAI's format.
 */
export const speakSpark = async (
  request: OutboundRequest,
  channel: Channel,
  tools: AuthorizeTools,
): Promise<OutboundReply> => {
  const key = readSparkKey(channel);
  const { connect } = tools;
  if (key === undefined || connect === undefined) return tools.send(request, tools.signal);
  const body = sentFields(request);
  const model = textOf(body['model']) ?? '';
  const path = Object.hasOwn(PATHS, model) ? PATHS[model] : undefined;
  if (path === undefined || !isPlainTalk(body)) return tools.send(request, tools.signal);
  const url = new URL(hostOf(channel) + path);
  const queue = await open(
    connect,
    signedUrl(url, key, tools.nowMs),
    request,
    tools,
    writeSpark(body, key.appId),
  );
  const head = { model, createdSeconds: Math.trunc(tools.nowMs / 1000) };
  return answer(queue, head);
};

/** The WebSocket host: the channel's own address, unless that is the HTTP API's. */
const hostOf = (channel: Channel): string => {
  const named = withoutEnd(channel.baseUrl, '/').replace(/\/v[12]$/, '');
  return named === '' || named === channelType(channel.type)?.baseUrl ? HOST : named.replace(/^http/, 'ws');
};

const open = async (
  connect: ConnectSocket,
  url: string,
  request: OutboundRequest,
  { signal }: AuthorizeTools,
  asked: Fields,
): Promise<MessageQueue> => {
  const gone = signal ?? new AbortController().signal;
  const socket = await connect({ url, headers: {}, protocols: [] }, gone);
  const queue = new MessageQueue(socket, {
    firstMs: request.headMs ?? FIRST_MESSAGE_MS,
    idleMs: request.idleMs ?? IDLE_MS,
  });
  gone.addEventListener('abort', () => queue.close(), { once: true });
  sendText(socket, Buffer.from(JSON.stringify(asked)));
  return queue;
};

/** The answer as events, also where it is asked for whole: it is then read as one of any upstream that always streams. */
const answer = async (queue: MessageQueue, head: Parameters<typeof asChunk>[1]): Promise<OutboundReply> => {
  const first = await piece(queue);
  if (first.error === undefined) return eventsReply(chunks(queue, first, head), () => queue.close());
  queue.close();
  return wholeReply(statusOfCode(first.error.code), errorBody(first.error));
};

const piece = async (queue: MessageQueue): Promise<SparkPiece> => {
  const message = await queue.next();
  if (message === undefined)
    throw new AppError('upstream_failed', 'the upstream closed before its answer ended');
  try {
    return readSpark(JSON.parse(message.toString()));
  } catch (cause) {
    queue.close();
    throw new AppError('upstream_failed', 'the upstream sent a message that is not JSON', { cause });
  }
};

async function* chunks(
  queue: MessageQueue,
  first: SparkPiece,
  head: Parameters<typeof asChunk>[1],
): AsyncGenerator<Buffer> {
  try {
    for (let next = first; ; next = await piece(queue)) {
      const body = next.error === undefined ? asChunk(next, head) : errorBody(next.error);
      yield Buffer.from(`data: ${JSON.stringify(body)}\n\n`);
      if (next.isLast || next.error !== undefined) break;
    }
    yield DONE;
  } finally {
    queue.close();
  }
}
