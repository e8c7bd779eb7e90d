import { setTimeout as wait } from 'node:timers/promises';
import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import type { AuthorizeTools, OutboundReply, OutboundRequest } from '#core/outbound/outbound.ts';
import { type Fields, fieldsOf, parsedFields, textOf } from '#core/json/fields.ts';
import { readFrames } from '../../dialects/sse.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { eventsReply, readJson, wholeReply } from '../shared/reply/synthetic-reply.ts';
import { keyHeader } from '../shared/description/provider.ts';
import { sentFields } from '../shared/request/sent-fields.ts';

const MAX_PREDICTION_BYTES = 16 * 1024 * 1024;
const ASK_AGAIN_MS = 1000;
/** A cold model may take minutes to start. */
const LONGEST_WAIT_MS = 600_000;

const ASKED: ReadonlySet<string> = new Set(['starting', 'processing', 'queued']);

/** Whether a prediction is still running (replicate.com/docs/topics/predictions/lifecycle). */
export const isUnfinished = (prediction: Fields): boolean => ASKED.has(textOf(prediction['status']) ?? '');

/** A running prediction, and what polling it needs. */
interface Prediction {
  readonly url: string;
  readonly request: OutboundRequest;
  readonly channel: Channel;
  readonly tools: AuthorizeTools;
  /** It has ended, so there is nothing to cancel. */
  isOver: boolean;
}

/**
 * Creates a prediction and returns its output: streamed, where the caller asked for a stream and the model supports it
 * (replicate.com/docs/topics/predictions/streaming), else whole, polled until it is there. It is cancelled when the caller
 * leaves.
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
  if (stream !== undefined && 'stream' in sentFields(request)) return listen(prediction, stream);
  return wholeReply(made.status, await finished(prediction, first));
};

/** Waits until the prediction has ended. */
const finished = async (prediction: Prediction, first: Fields): Promise<Fields> => {
  let known = first;
  try {
    for (let waitedMs = 0; isUnfinished(known) && waitedMs < LONGEST_WAIT_MS; waitedMs += ASK_AGAIN_MS) {
      await wait(ASK_AGAIN_MS, undefined, { signal: prediction.tools.signal });
      known = await look(prediction);
    }
    // The caller is told that it did not end, so nobody waits for it.
    if (isUnfinished(known)) cancel(prediction);
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
  const headers = { accept: 'application/json', ...keyHeader('bearer', channel) };
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

/** Cancels a prediction that nobody waits for, and that has cost what it ran. A failure to do so is ignored. */
const cancel = (prediction: Prediction): void => {
  const { url, request, channel, tools } = prediction;
  if (prediction.isOver) return;
  prediction.isOver = true;
  tools.noteWork?.();
  const headers = { accept: 'application/json', ...keyHeader('bearer', channel) };
  void tools
    .send({ ...withoutBody(request), method: 'POST', url: `${url}/cancel`, headers })
    .then(({ body }) => body.discard())
    .catch(() => undefined);
};

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '');

const listen = async (prediction: Prediction, address: string): Promise<OutboundReply> => {
  const { request, channel, tools } = prediction;
  // The key is sent only to the channel's own host. The URL of a stream is already signed.
  const isOwn = hostOf(address) === hostOf(request.url);
  const headers = { accept: 'text/event-stream', ...(isOwn && keyHeader('bearer', channel)) };
  const reply = await tools
    .send({ ...withoutBody(request), method: 'GET', url: address, headers }, tools.signal)
    .catch((thrown: unknown) => {
      cancel(prediction);
      throw thrown;
    });
  if (reply.status !== 200) {
    cancel(prediction);
    return reply;
  }
  return eventsReply(eventsOf(prediction, reply), () => {
    reply.body.discard();
    cancel(prediction);
  });
};

/** The events of a stream as JSON: pieces of text, an error, and at the end the usage, which the stream itself lacks. */
async function* eventsOf(prediction: Prediction, reply: OutboundReply): AsyncGenerator<Buffer> {
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

/** `{}`, or the reason of another end. */
const endOf = (text: string): Fields => {
  const reason = textOf(parsedFields(text)?.['reason']);
  if (reason === undefined) return { status: 'succeeded' };
  return { status: reason === 'canceled' ? 'canceled' : 'failed', error: `the prediction ended: ${reason}` };
};

const problemIn = (text: string): string => textOf(parsedFields(text)?.['detail']) ?? text;
