import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import { readFinishReason } from '../openai/finish-reason.ts';
import { fieldsOf, otherFields, textOf, type Fields } from '../openai/fields.ts';

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
/** Words that our own say as well; others are kept beside them. */
const PLAIN = new Set(['end_turn', 'stop_sequence', 'max_tokens', 'tool_use', 'pause_turn', 'refusal']);
const KNOWN = new Set(['stop_reason', 'stop_sequence']);

export const readStopReason = (value: unknown): FinishReason | undefined => {
  if (typeof value !== 'string' || value === '') return undefined;
  // Look-alikes say it as OpenAI does.
  return WORDS.get(value) ?? readFinishReason(value);
};

/** How an answer ended, from the fields of a `message_delta`; undefined while it has not. */
export const readFinish = (delta: Fields): Finish | undefined => {
  const reason = readStopReason(delta['stop_reason']);
  if (reason === undefined) return undefined;
  const wire = String(delta['stop_reason']);
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

/** The fields of a `message_delta` that end an answer. Calls count more than a plain stop: clients run tools by this word. */
export const writeFinish = (finish: Finish | undefined, hasCalls: boolean): Fields => ({
  stop_reason: hasCalls ? 'tool_use' : 'end_turn',
  stop_sequence: finish?.stopSequence ?? null,
  ...(finish !== undefined && { stop_reason: writeStopReason(finish, hasCalls) }),
  ...(finish !== undefined && writeDetails(finish)),
  ...finish?.extras?.['anthropic-messages'],
});

/** Why it was refused, where a sentence says so (`RefusalStopDetails`); of no other end there are details. */
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
