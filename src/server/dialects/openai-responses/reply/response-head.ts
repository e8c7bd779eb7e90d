import type { ChatEvent } from '#core/chat/event.ts';
import type { Fields } from '#core/json/fields.ts';

type Start = Extract<ChatEvent, { type: 'start' }>;

/** Fields that every response has. A converted response has OpenAI's defaults here. */
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

/** Whether a field of a response has its default value. */
export const isDefault = (key: string, value: unknown): boolean =>
  key in DEFAULTS && JSON.stringify(DEFAULTS[key]) === JSON.stringify(value);

/** The start of a reply whose upstream sent none. */
export const noStart: Start = { type: 'start', id: '', model: '' };

/** The fields of a response that do not change from its first event to its last. */
export const writeHead = (start: Start, echo: Fields = {}): Fields => ({
  ...DEFAULTS,
  ...echo,
  ...start.extras?.['openai-responses'],
  id: start.id === '' ? 'resp_0' : start.id,
  object: 'response',
  created_at: Math.trunc((start.createdAtMs ?? 0) / 1000),
  model: start.model,
});

/** A response that the upstream has begun: its fixed fields, the sequence number of the next event, its items if known. */
export interface Begun {
  readonly head: Fields | undefined;
  readonly number: number;
  readonly items?: readonly Fields[];
}
