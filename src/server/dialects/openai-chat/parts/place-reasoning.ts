import type { ContentPart } from '#core/chat/request.ts';
import type { PlacedReasoning } from './read-reasoning-details.ts';

/**
 * Restores the order in which an assistant turn was generated: reasoning goes to its place among texts and tool calls, or
 * first if its place is unknown. A text is split where reasoning interrupted it. If a client changed the texts, places may
 * be slightly off, but nothing is lost.
 */
export const placeReasoning = (
  reasoning: readonly PlacedReasoning[],
  allTexts: readonly ContentPart[],
  calls: readonly ContentPart[],
): ContentPart[] => {
  const placed: ContentPart[] = [];
  const [texts, called] = [[...allTexts], [...calls]];
  let characters = 0;
  for (const { part, place } of reasoning) {
    while (place !== undefined && characters < place.characters && texts.length > 0) {
      const [first, rest] = cut(texts.shift(), place.characters - characters);
      placed.push(...first);
      texts.unshift(...rest);
      characters += first.reduce((sum, part) => sum + lengthOf(part), 0);
    }
    if (place !== undefined) placed.push(...called.splice(0, place.calls - (calls.length - called.length)));
    placed.push(part);
  }
  return [...placed, ...texts, ...called];
};

const lengthOf = (part: ContentPart): number => (part.type === 'text' ? part.text.length : 0);

/** Splits a part after a number of characters. */
const cut = (part: ContentPart | undefined, characters: number): [ContentPart[], ContentPart[]] => {
  if (part === undefined) return [[], []];
  if (part.type !== 'text' || part.text.length <= characters) return [[part], []];
  const [before, after] = [part.text.slice(0, characters), part.text.slice(characters)];
  return [[{ ...part, text: before }], [{ ...part, text: after }]];
};
