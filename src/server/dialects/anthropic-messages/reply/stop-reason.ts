import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import { readFinishReason } from '../../openai/finish-reason.ts';
import { fieldsOf, otherFields, textOf, type Fields, wordOf } from '#core/json/fields.ts';

type Finish = Extract<ChatEvent, { type: 'finish' }>;

const WORDS: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-calls'],
  ['pause_turn', 'pause'],
  ['refusal', 'refusal'],
]);
/** Stop reasons with an exact equivalent; others are stored in addition to ours. */
const PLAIN = new Set(['end_turn', 'stop_sequence', 'max_tokens', 'tool_use', 'pause_turn', 'refusal']);
const KNOWN = new Set(['stop_reason', 'stop_sequence']);

/** Our word for a stop reason, `other` for an unknown one; undefined if there is none. */
export const readStopReason = (value: unknown): FinishReason | undefined => {
  if (typeof value !== 'string' || value === '') return undefined;
  // Some compatible upstreams use OpenAI's words.
  return WORDS.get(value) ?? readFinishReason(value);
};

/** How an answer ended, from a `message_delta`; undefined if it has not. */
export const readFinish = (delta: Fields): Finish | undefined => {
  const reason = readStopReason(delta['stop_reason']);
  if (reason === undefined) return undefined;
  const wire = wordOf(delta['stop_reason']);
  const stopSequence = textOf(delta['stop_sequence']);
  const explanation = textOf(fieldsOf(delta['stop_details'])['explanation']);
  const extras = {
    ...otherFields(delta, KNOWN),
    ...(!PLAIN.has(wire) && { stop_reason: wire }),
  };
  return {
    type: 'finish',
    choice: 0,
    reason,
    ...(stopSequence !== undefined && { stopSequence }),
    ...(explanation !== undefined && { explanation }),
    ...(Object.keys(extras).length > 0 && { extras: { 'anthropic-messages': extras } }),
  };
};

/**
 * The `message_delta` fields that end an answer. Calls win over a plain stop, because clients run tools by this reason.
 */
export const writeFinish = (finish: Finish | undefined, hasCalls: boolean): Fields => ({
  stop_reason: hasCalls ? 'tool_use' : 'end_turn',
  stop_sequence: finish?.stopSequence ?? null,
  ...(finish !== undefined && { stop_reason: writeStopReason(finish, hasCalls) }),
  ...(finish !== undefined && writeDetails(finish)),
  ...finish?.extras?.['anthropic-messages'],
});

/** The explanation of a refusal (`RefusalStopDetails`); other ends have none. */
const writeDetails = ({ reason, explanation }: Finish): Fields =>
  explanation !== undefined && (reason === 'refusal' || reason === 'content-filter')
    ? { stop_details: { type: 'refusal', category: null, explanation } }
    : {};

const writeStopReason = (finish: Finish, hasCalls: boolean): string => {
  switch (finish.reason) {
    case 'length':
      return 'max_tokens';
    case 'tool-calls':
      return 'tool_use';
    case 'pause':
      return 'pause_turn';
    case 'refusal':
    case 'content-filter':
      return 'refusal';
    case 'stop':
    case 'other':
      if (finish.stopSequence !== undefined) return 'stop_sequence';
      return hasCalls ? 'tool_use' : 'end_turn';
  }
};
