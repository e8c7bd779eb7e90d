import { openaiList } from '../../testing/openai-like.ts';
import {
  ARGUMENTS,
  COMPLETION_TOKENS,
  events,
  json,
  type Json,
  type Page,
  PROMPT_TOKENS,
  type Question,
  TEXT,
  type Wire,
  WORDS,
} from '../../testing/wire.ts';

/** Search results, sent before the answer that cites them. */
const FOUND: Json = {
  type: 'search_results',
  queries: ['is all well'],
  results: [{ id: 1, title: 'A', url: 'https://docs.example/a', snippet: 'All is well.', source: 'web' }],
};

const agentPage = ({ calls, stream }: Question): Page => {
  const call = { id: 'fc_1', call_id: 'call_1', name: 'get_weather', arguments: ARGUMENTS };
  const said = { type: 'output_text', text: TEXT, annotations: [] };
  const item = calls
    ? { type: 'function_call', status: 'completed', ...call }
    : { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [said] };
  const output = calls ? [item] : [FOUND, item];
  const usage = {
    input_tokens: PROMPT_TOKENS,
    output_tokens: COMPLETION_TOKENS,
    total_tokens: 15,
    tool_calls_details: { search_web: { invocation: 1 } },
    cost: { currency: 'USD', total_cost: 0.005 },
  };
  const head = { id: 'resp_1', object: 'response', created_at: 1_767_225_600, model: 'perplexity/sonar' };
  const whole: Json = { ...head, status: 'completed', output, usage, error: null };
  if (!stream) return json(whole);
  const at = output.length - 1;
  const pieces: Json[] = calls
    ? []
    : [
        { type: 'response.reasoning.started', thought: '' },
        { type: 'response.output_item.done', output_index: 0, item: FOUND },
        { type: 'response.output_item.added', output_index: at, item: { ...item, content: [] } },
        ...WORDS.map((delta) => ({
          type: 'response.output_text.delta',
          item_id: 'msg_1',
          output_index: at,
          content_index: 0,
          delta,
        })),
        {
          type: 'response.output_text.done',
          item_id: 'msg_1',
          output_index: at,
          content_index: 0,
          text: TEXT,
        },
      ];
  const list: Json[] = [
    { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
    { type: 'response.in_progress', response: { ...head, status: 'in_progress', output: [] } },
    ...pieces,
    ...(calls ? [{ type: 'response.output_item.added', output_index: at, item }] : []),
    { type: 'response.output_item.done', output_index: at, item },
    { type: 'response.completed', response: whole },
  ];
  return events(...list.map((event, at_) => ({ sequence_number: at_, ...event })));
};

export const wires: readonly Wire[] = [
  {
    type: 27,
    name: 'Perplexity',
    reference: 'docs.perplexity.ai/docs/agent-api: migrate-from-sonar, openai-compatibility; errors',
    key: 'pplx-1',
    model: 'sonar-pro',
    chat: '/v1/responses',
    headers: { authorization: 'Bearer pplx-1' },
    asks: { model: 'perplexity/sonar', preset: 'low', max_output_tokens: 100 },
    answer: agentPage,
    offersTools: true,
    tellsUsage: true,
    badKey: { status: 401, body: { error: { message: 'Invalid API key', type: 'forbidden', code: 401 } } },
    rateLimit: {
      status: 429,
      body: { error: { message: 'Rate limit exceeded', type: 'request_rate_limit_exceeded', code: 429 } },
    },
    models: openaiList('/v1/models'),
  },
];
