import type { OtherPaths } from '../../testing/other-paths.ts';
import {
  ARGUMENTS,
  COMPLETION_TOKENS,
  json,
  type Json,
  namedEvents,
  type Page,
  PROMPT_TOKENS,
  type Question,
  TEXT,
  type Wire,
  WORDS,
} from '../../testing/wire.ts';

const coherePage = ({ calls, stream }: Question): Page => {
  const tool = { id: 'weather_1', type: 'function', function: { name: 'get_weather', arguments: ARGUMENTS } };
  const usage = { billed_units: { input_tokens: PROMPT_TOKENS, output_tokens: COMPLETION_TOKENS } };
  const finish = calls ? 'TOOL_CALL' : 'COMPLETE';
  if (!stream) {
    const said = calls ? { tool_calls: [tool] } : { content: [{ type: 'text', text: TEXT }] };
    return json({ id: 'r-1', message: { role: 'assistant', ...said }, finish_reason: finish, usage });
  }
  const deltas: (readonly [string, Json])[] = calls
    ? [
        ['tool-call-start', { tool_calls: { ...tool, function: { name: 'get_weather', arguments: '' } } }],
        ['tool-call-delta', { tool_calls: { function: { arguments: ARGUMENTS } } }],
      ]
    : WORDS.map((text) => ['content-delta', { content: { text } }]);
  return namedEvents(
    [
      ['message-start', { id: 'r-1', delta: { message: { role: 'assistant' } } }] as const,
      ...deltas.map(([name, message]) => [name, { index: 0, delta: { message } }] as const),
      ['message-end', { delta: { finish_reason: finish, usage } }] as const,
    ].map(([name, data]) => [name, { type: name, ...data }]),
  );
};

export const wires: readonly Wire[] = [
  {
    type: 34,
    name: 'Cohere',
    reference: 'docs.cohere.com/reference/chat; errors; list-models',
    key: 'co-1',
    model: 'command-a-03-2025',
    chat: '/v2/chat',
    headers: { authorization: 'Bearer co-1' },
    asks: {
      model: 'command-a-03-2025',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Is all well?' }],
    },
    answer: coherePage,
    offersTools: true,
    tellsUsage: true,
    badKey: { status: 401, body: { id: 'e-1', message: 'invalid api token' } },
    rateLimit: {
      status: 429,
      body: { message: 'You are using a Trial key, which is limited to 20 API calls.' },
    },
    models: {
      path: '/v1/models?page_size=1000',
      body: { models: [{ name: 'command-a-03-2025', endpoints: ['chat'] }], next_page_token: '' },
      names: ['command-a-03-2025'],
    },
  },
];

export const otherPaths: OtherPaths = {
  34: {
    embeddings: '/compatibility/v1/embeddings',
    rerank: '/v2/rerank',
    transcriptions: '/v2/audio/transcriptions',
  },
};
