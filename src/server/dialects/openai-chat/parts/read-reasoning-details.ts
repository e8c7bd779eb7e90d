import type { ContentPart } from '#core/chat/request.ts';
import { isSealOfPart } from '#core/chat/signature.ts';
import { isFields, listOf, textOf, type Fields, wordOf } from '#core/json/fields.ts';
import { readDetailSeal, readPlace, type Place } from './signature.ts';

type Reasoning = Extract<ContentPart, { type: 'reasoning' }>;

/** Reasoning of an earlier turn, and its place if known. */
export interface PlacedReasoning {
  readonly part: Reasoning;
  readonly place: Place | undefined;
}

/**
 * Reads the reasoning of an earlier turn: plain text in `reasoning_content`, or signed parts in `reasoning_details`, which
 * may be whole, streamed pieces, or repeated. If the details only have signatures, the plain text belongs to the first.
 */
export const readReasoningDetails = (message: Fields): PlacedReasoning[] => {
  const reasoning: PlacedReasoning[] = [];
  let index: unknown;
  const seen = new Set<string>();
  for (const piece of listOf(message['reasoning_details']).filter(isFields)) {
    const seal = textOf(piece['signature'] ?? piece['data']);
    const named = `${wordOf(piece['index'])} ${seal}`;
    if (seal !== undefined && piece['index'] !== undefined && seen.has(named)) continue;
    seen.add(named);
    const before = reasoning.at(-1)?.part;
    const [read, place] = [readPiece(piece), readPlace(piece)];
    const isMore = before !== undefined && isOpen(before) && read.redacted === undefined;
    if (isMore && index === piece['index'])
      reasoning[reasoning.length - 1] = {
        part: { ...before, ...read, text: before.text + read.text },
        place,
      };
    else reasoning.push({ part: read, place });
    index = piece['index'];
  }
  return withPlain(reasoning, textOf(message['reasoning_content'] ?? message['reasoning']));
};

const withPlain = (reasoning: PlacedReasoning[], plain: string | undefined): PlacedReasoning[] => {
  if (plain === undefined || reasoning.some(({ part }) => part.text !== '')) return reasoning;
  const signed = reasoning.findIndex(
    ({ part }) => part.redacted === undefined && !isSealOfPart(part.signature ?? ''),
  );
  const first = reasoning[signed];
  return first === undefined
    ? [{ part: { type: 'reasoning', text: plain }, place: undefined }, ...reasoning]
    : reasoning.with(signed, { ...first, part: { ...first.part, text: plain } });
};

const readPiece = (piece: Fields): Reasoning => ({
  type: 'reasoning',
  text: textOf(piece['text'] ?? piece['summary']) ?? '',
  ...readDetailSeal(piece),
});

const isOpen = ({ signature, redacted }: Reasoning): boolean =>
  signature === undefined && redacted === undefined;
