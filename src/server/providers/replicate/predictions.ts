import { setTimeout as wait } from 'node:timers/promises';
import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import type { AuthorizeTools, OutboundReply, OutboundRequest } from '#core/outbound.ts';
import { fieldsOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { readFrames } from '../../dialects/sse.ts';
import { eventsReply, readJson, wholeReply } from '../made-reply.ts';
import { baseUrlOf, bearer } from '../openai-layout.ts';
import { writtenFields } from '../written-fields.ts';

const MAX_PREDICTION_BYTES = 16 * 1024 * 1024;
const ASK_AGAIN_MS = 1000;
/** A model that was cold has minutes to wake up. */
const LONGEST_WAIT_MS = 600_000;

const ASKED: ReadonlySet<string> = new Set(['starting', 'processing', 'queued']);

/** Whether a prediction is still being made (replicate.com/docs/topics/predictions/lifecycle). */
export const isUnfinished = (prediction: Fields): boolean => ASKED.has(textOf(prediction['status']) ?? '');

/** One prediction on its way, and what asking about it takes. */
interface Prediction {
  readonly url: string;
  readonly request: OutboundRequest;
  readonly channel: Channel;
  readonly tools: AuthorizeTools;
  /** Nothing more is to be stopped. */
  isOver: boolean;
}

/**
 * Makes a prediction and gives its answer: as it is written, where that was asked for and the model can
 * (replicate.com/docs/topics/predictions/streaming), else whole, asked for again until it is there. A caller that leaves
 * stops it.
 */
export const predict = async (
  request: OutboundRequest,
  channel: Channel,
  tools: AuthorizeTools,
): Promise<OutboundReply> => {
  const made = await tools.send(request, tools.signal);
  if (made.status < 200 || made.status >= 300) return made;
  const first = fieldsOf(await readJson(made, MAX_PREDICTION_BYTES));
  const id = textOf(first['id']);
  if (id === undefined) throw new AppError('upstream_failed', 'the upstream made no prediction');
  const url = `${baseUrlOf(channel, '/v1')}/v1/predictions/${encodeURIComponent(id)}`;
  const prediction = { url, request, channel, tools, isOver: false };
  const stream = textOf(fieldsOf(first['urls'])['stream']);
  if (stream !== undefined && 'stream' in writtenFields(request)) return listen(prediction, stream);
  return wholeReply(made.status, await finished(prediction, first));
};

/** The prediction once it is made. */
const finished = async (prediction: Prediction, first: Fields): Promise<Fields> => {
  let known = first;
  try {
    for (let waitedMs = 0; isUnfinished(known) && waitedMs < LONGEST_WAIT_MS; waitedMs += ASK_AGAIN_MS) {
      await wait(ASK_AGAIN_MS, undefined, { signal: prediction.tools.signal });
      known = await look(prediction);
    }
  } catch (thrown) {
    cancel(prediction);
    const { signal } = prediction.tools;
    if (signal?.aborted !== true) throw thrown;
    const reason: unknown = signal.reason;
    throw reason instanceof AppError ? reason : new AppError('client_closed', 'the call was given up');
  }
  return known;
};

const look = async ({ url, request, channel, tools }: Prediction): Promise<Fields> => {
  const headers = { accept: 'application/json', ...bearer(channel) };
  const reply = await tools.send({ ...withoutBody(request), method: 'GET', url, headers }, tools.signal);
  const body = fieldsOf(await readJson(reply, MAX_PREDICTION_BYTES));
  if (reply.status === 200) return body;
  const message = textOf(body['detail']) ?? 'the prediction could not be looked at';
  throw new AppError('upstream_failed', message, { upstream: { status: reply.status, message } });
};

const withoutBody = (request: OutboundRequest): OutboundRequest => {
  const { body: _, ...rest } = request;
  return rest;
};

/** Nobody waits for it any more. That it could not be told changes nothing. */
const cancel = (prediction: Prediction): void => {
  const { url, request, channel, tools } = prediction;
  if (prediction.isOver) return;
  prediction.isOver = true;
  const headers = { accept: 'application/json', ...bearer(channel) };
  void tools
    .send({ ...withoutBody(request), method: 'POST', url: `${url}/cancel`, headers })
    .then(({ body }) => body.discard())
    .catch(() => undefined);
};

const listen = async (prediction: Prediction, address: string): Promise<OutboundReply> => {
  const { request, channel, tools } = prediction;
  // The key goes to no other host than the channel's: a stream's address is its own proof.
  const isOwn = new URL(address).host === new URL(request.url).host;
  const headers = { accept: 'text/event-stream', ...(isOwn && bearer(channel)) };
  const reply = await tools.send(
    { ...withoutBody(request), method: 'GET', url: address, headers },
    tools.signal,
  );
  if (reply.status !== 200) return reply;
  return eventsReply(told(prediction, reply), () => {
    reply.body.discard();
    cancel(prediction);
  });
};

/** The events of a stream as JSON: pieces of text, what went wrong, and at its end what was used, which it does not say. */
async function* told(prediction: Prediction, reply: OutboundReply): AsyncGenerator<Buffer> {
  try {
    for await (const { event, data } of readFrames(reply.body)) {
      const text = data.toString();
      if (event === 'output') yield say({ output: text });
      else if (event === 'error') yield say({ status: 'failed', error: problemIn(text) });
      else if (event === 'done') {
        prediction.isOver = true;
        yield say({ ...(await used(prediction)), ...endOf(text), done: true });
        return;
      }
    }
  } finally {
    cancel(prediction);
  }
}

const say = (body: Fields): Buffer => Buffer.from(`data: ${JSON.stringify(body)}\n\n`);

const used = async (prediction: Prediction): Promise<Fields> => {
  const { model, metrics } = await look(prediction).catch((): Fields => ({}));
  return { ...(model !== undefined && { model }), ...(metrics !== undefined && { metrics }) };
};

/** `{}`, or why it ended otherwise. */
const endOf = (text: string): Fields => {
  const reason = textOf(parsed(text)['reason']);
  if (reason === undefined) return { status: 'succeeded' };
  return { status: reason === 'canceled' ? 'canceled' : 'failed', error: `the prediction ended: ${reason}` };
};

const problemIn = (text: string): string => textOf(parsed(text)['detail']) ?? text;

const parsed = (text: string): Fields => {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
};
