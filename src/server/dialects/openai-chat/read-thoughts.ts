import type { ContentPart } from '#core/chat/request.ts';
import { isSealOfPart } from '#core/chat/signature.ts';
import { isFields, listOf, textOf, type Fields } from '../openai/fields.ts';
import { readDetailSeal, readPlace, type Place } from './signature.ts';

type Thought = Extract<ContentPart, { type: 'reasoning' }>;

/** A thought of an earlier turn, and where it stood, if anybody told. */
export interface PlacedThought {
  readonly thought: Thought;
  readonly place: Place | undefined;
}

/**
 * The thoughts of an earlier turn: plain text in `reasoning_content`, or with their signatures in `reasoning_details`,
 * whole, in the pieces in which they were streamed, or some of them again and again. Where those are seals alone, the text
 * belongs to the first of them.
 */
export const readThoughts = (message: Fields): PlacedThought[] => {
  const thoughts: PlacedThought[] = [];
  let index: unknown;
  const told = new Set<string>();
  for (const piece of listOf(message['reasoning_details']).filter(isFields)) {
    const seal = textOf(piece['signature'] ?? piece['data']);
    const named = `${String(piece['index'])} ${seal}`;
    if (seal !== undefined && piece['index'] !== undefined && told.has(named)) continue;
    told.add(named);
    const before = thoughts.at(-1)?.thought;
    const [read, place] = [readPiece(piece), readPlace(piece)];
    const isMore = before !== undefined && isOpen(before) && read.redacted === undefined;
    if (isMore && index === piece['index'])
      thoughts[thoughts.length - 1] = {
        thought: { ...before, ...read, text: before.text + read.text },
        place,
      };
    else thoughts.push({ thought: read, place });
    index = piece['index'];
  }
  return withPlain(thoughts, textOf(message['reasoning_content'] ?? message['reasoning']));
};

const withPlain = (thoughts: PlacedThought[], plain: string | undefined): PlacedThought[] => {
  if (plain === undefined || thoughts.some(({ thought }) => thought.text !== '')) return thoughts;
  const signed = thoughts.findIndex(
    ({ thought }) => thought.redacted === undefined && !isSealOfPart(thought.signature ?? ''),
  );
  const first = thoughts[signed];
  return first === undefined
    ? [{ thought: { type: 'reasoning', text: plain }, place: undefined }, ...thoughts]
    : thoughts.with(signed, { ...first, thought: { ...first.thought, text: plain } });
};

const readPiece = (piece: Fields): Thought => ({
  type: 'reasoning',
  text: textOf(piece['text'] ?? piece['summary']) ?? '',
  ...readDetailSeal(piece),
});

const isOpen = ({ signature, redacted }: Thought): boolean =>
  signature === undefined && redacted === undefined;
