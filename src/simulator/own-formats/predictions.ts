import { asJson, sendJson, startStream, type Call, type Json } from '../wire.ts';

/**
 * Replicate, predictions of a language model (replicate.com/docs/reference/http; topics/predictions/streaming). A stream
 * has a URL of its own, which the prediction names; afterwards the prediction has its usage.
 */

const WORDS = ['All', ' is', ' well', '.'];
const ID = 'p-1';

const predictionOf = ({ request }: Call, status: string, output: readonly string[] | null): Json => {
  const own = `http://${request.headers.host ?? ''}/v1`;
  return {
    id: ID,
    model: 'meta/llama',
    status,
    output,
    error: null,
    ...(status === 'succeeded' && {
      metrics: { input_token_count: 11, output_token_count: 4, predict_time: 0.2 },
    }),
    urls: {
      get: `${own}/predictions/${ID}`,
      cancel: `${own}/predictions/${ID}/cancel`,
      stream: `${own}/streams/${ID}`,
    },
  };
};

/** A prediction asked for `slowly` is still running; a streamed one has only started. */
export const makePrediction = (call: Call): void => {
  const { prompt } = asJson(call.body['input']);
  if (typeof prompt !== 'string')
    return sendJson(call.response, 422, {
      title: 'Input validation failed',
      detail: '- prompt is required',
      status: 422,
    });
  if (prompt.includes('slowly')) return sendJson(call.response, 201, predictionOf(call, 'processing', null));
  const made = call.stream ? predictionOf(call, 'starting', null) : predictionOf(call, 'succeeded', WORDS);
  sendJson(call.response, 201, made);
};

export const showPrediction = (call: Call): void =>
  sendJson(call.response, 200, predictionOf(call, 'succeeded', WORDS));

export const streamPrediction = ({ response }: Call): void => {
  startStream(response);
  const events = WORDS.map((word, at) => `event: output\nid: ${at}:0\ndata: ${word}\n\n`);
  response.end(`${events.join('')}event: done\nid: ${WORDS.length}:0\ndata: {}\n\n`);
};
