import { type Fields, fieldsOf, parsedFields } from '#core/json/fields.ts';
import type { IfUnsaid } from '../../dialect.ts';
import type { CutStream } from '../../ends/cut-stream.ts';
import type { Frame } from '../../frame.ts';
import { writeFrame } from '../../sse.ts';
import { LEAST_BUDGET } from './thinking.ts';

/** Lowers `max_tokens`. The thinking budget must stay below it; if that leaves too little, thinking is disabled. */
export const limitOutput = (body: Fields, tokens: number, ifUnsaid: IfUnsaid): Fields => {
  const { max_tokens: most, thinking, ...rest } = body;
  if (ifUnsaid === 'leave' && (most === undefined || most === null)) return body;
  const isLess = typeof most === 'number' && most > 0 && most <= tokens;
  const limited = isLess ? body : { ...body, max_tokens: tokens };
  const budget = fieldsOf(thinking)['budget_tokens'];
  if (typeof budget !== 'number' || budget < tokens) return limited;
  if (tokens <= LEAST_BUDGET) return { ...rest, max_tokens: limited['max_tokens'] };
  const share = Math.max(LEAST_BUDGET, Math.floor(tokens / 2));
  return { ...limited, thinking: { ...fieldsOf(thinking), budget_tokens: share } };
};

/** Closes the block of the frame that was not sent, or not all of it. */
export const closeBlock = ({
  next,
  isPartShown = false,
}: Pick<CutStream, 'next' | 'isPartShown'>): readonly Frame[] => {
  const event = parsedFields(next.data) ?? {};
  const isOpen = event['type'] === 'content_block_start' && isPartShown;
  if (event['type'] !== 'content_block_delta' && !isOpen) return [];
  return [
    writeFrame(JSON.stringify({ type: 'content_block_stop', index: event['index'] }), 'content_block_stop'),
  ];
};
