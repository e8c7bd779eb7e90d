import type { ContentPart } from '#core/chat/request.ts';
import { isFields, listOf, textOf, type Fields } from '../openai/fields.ts';
import { readDetailSeal } from './signature.ts';

type Thought = Extract<ContentPart, { type: 'reasoning' }>;

/**
 * The thoughts of an earlier turn: plain text in `reasoning_content`, or with their signatures in `reasoning_details`,
 * whole, in the pieces in which they were streamed, or some of them again and again. Where those are seals alone, the text
 * belongs to the first of them.
 */
export const readThoughts = (message: Fields): Thought[] => {
  const thoughts: Thought[] = [];
  let index: unknown;
  const told = new Set<string>();
  for (const piece of listOf(message['reasoning_details']).filter(isFields)) {
    const seal = textOf(piece['signature'] ?? piece['data']);
    const named = `${String(piece['index'])} ${seal}`;
    if (seal !== undefined && piece['index'] !== undefined && told.has(named)) continue;
    told.add(named);
    const before = thoughts.at(-1);
    const read = readPiece(piece);
    const isMore = before !== undefined && isOpen(before) && read.redacted === undefined;
    if (isMore && index === piece['index'])
      thoughts[thoughts.length - 1] = { ...before, ...read, text: before.text + read.text };
    else thoughts.push(read);
    index = piece['index'];
  }
  const plain = textOf(message['reasoning_content'] ?? message['reasoning']);
  if (plain === undefined || thoughts.some(({ text }) => text !== '')) return thoughts;
  const signed = thoughts.findIndex(({ redacted }) => redacted === undefined);
  const first = thoughts[signed];
  return first === undefined
    ? [{ type: 'reasoning', text: plain }, ...thoughts]
    : thoughts.with(signed, { ...first, text: plain });
};

const readPiece = (piece: Fields): Thought => ({
  type: 'reasoning',
  text: textOf(piece['text'] ?? piece['summary']) ?? '',
  ...readDetailSeal(piece),
});

const isOpen = ({ signature, redacted }: Thought): boolean =>
  signature === undefined && redacted === undefined;
