import type { ContentPart } from '#core/chat/request.ts';
import type { PlacedThought } from './read-thoughts.ts';

/**
 * One turn of an assistant in the order in which it was said: each thought where it stood among the texts and calls, and
 * in front of them where nobody told. Texts a thought stood in the middle of are two. A client that changed them gets
 * their thoughts at most a little off; nothing is lost.
 */
export const placeThoughts = (
  thoughts: readonly PlacedThought[],
  said: readonly ContentPart[],
  calls: readonly ContentPart[],
): ContentPart[] => {
  const placed: ContentPart[] = [];
  const [texts, called] = [[...said], [...calls]];
  let characters = 0;
  for (const { thought, place } of thoughts) {
    while (place !== undefined && characters < place.characters && texts.length > 0) {
      const [first, rest] = cut(texts.shift(), place.characters - characters);
      placed.push(...first);
      texts.unshift(...rest);
      characters += first.reduce((sum, part) => sum + lengthOf(part), 0);
    }
    if (place !== undefined) placed.push(...called.splice(0, place.calls - (calls.length - called.length)));
    placed.push(thought);
  }
  return [...placed, ...texts, ...called];
};

const lengthOf = (part: ContentPart): number => (part.type === 'text' ? part.text.length : 0);

/** A part up to so many characters, and what is left of it. */
const cut = (part: ContentPart | undefined, characters: number): [ContentPart[], ContentPart[]] => {
  if (part === undefined) return [[], []];
  if (part.type !== 'text' || part.text.length <= characters) return [[part], []];
  const [before, after] = [part.text.slice(0, characters), part.text.slice(characters)];
  return [[{ ...part, text: before }], [{ ...part, text: after }]];
};
