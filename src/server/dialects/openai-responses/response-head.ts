import type { ChatEvent } from '#core/chat/event.ts';
import type { Fields } from '../openai/fields.ts';

type Start = Extract<ChatEvent, { type: 'start' }>;

/** What every response object holds. A converted one says the upstream's defaults, since nobody told it more. */
const DEFAULTS: Fields = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  service_tier: 'default',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  user: null,
};

/** Whether a field of a response says no more than its absence would. */
export const isDefault = (key: string, value: unknown): boolean =>
  key in DEFAULTS && JSON.stringify(DEFAULTS[key]) === JSON.stringify(value);

/** The start of a reply whose upstream never said one. */
export const noStart: Start = { type: 'start', id: '', model: '' };

/** What makes a response what it is, from its first event to its last; the rest changes on the way. */
export const writeHead = (start: Start, echo: Fields = {}): Fields => ({
  ...DEFAULTS,
  ...echo,
  ...start.extras?.['openai-responses'],
  id: start.id === '' ? 'resp_0' : start.id,
  object: 'response',
  created_at: Math.trunc((start.createdAtMs ?? 0) / 1000),
  model: start.model,
});

/** A response that somebody else has begun: what it is, and the number of its next event. */
export interface Begun {
  readonly head: Fields;
  readonly number: number;
}
