import { json, type Wire, WORDS } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  {
    type: 56,
    name: 'Replicate',
    reference: 'replicate.com/docs/reference/http, models.predictions.create',
    key: 'r8-1',
    model: 'meta/meta-llama-3-8b-instruct',
    chat: '/v1/models/meta/meta-llama-3-8b-instruct/predictions',
    headers: { authorization: 'Bearer r8-1', prefer: 'wait=60' },
    asks: { input: { prompt: 'Is all well?', max_tokens: 100 } },
    // It sends a whole reply even if a stream is requested.
    answer: () =>
      json({
        id: 'p-1',
        model: 'meta/meta-llama-3-8b-instruct',
        status: 'succeeded',
        output: WORDS,
        error: null,
        metrics: { input_token_count: 11, output_token_count: 4 },
      }),
    offersTools: false,
    tellsUsage: true,
    badKey: {
      status: 401,
      body: {
        title: 'Unauthenticated',
        detail: 'You did not pass a valid authentication token',
        status: 401,
      },
    },
    rateLimit: {
      status: 429,
      body: { detail: 'Request was throttled. Expected available in 1 second.', status: 429 },
    },
  },
];
