/** Splits the typed text into words that must all match: "rate lim" finds "Limits of the rate". */
export const typedWords = (typed: string): readonly string[] =>
  typed.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Scores texts against the typed words: 3 if the first text begins with them, 2 if each word is in the first text, 1 if
 * each is in any, 0 for no match. Empty input matches everything equally.
 */
export const fitOf = (words: readonly string[], name: string, ...more: readonly string[]): number => {
  const first = name.toLowerCase();
  if (words.every((word) => first.includes(word))) return first.startsWith(words.join(' ')) ? 3 : 2;
  const all = `${first} ${more.join(' ').toLowerCase()}`;
  return words.every((word) => all.includes(word)) ? 1 : 0;
};

/** The actions on a channel that work from anywhere. */
export const channelVerbs = ['test', 'off', 'on'] as const;
export type ChannelVerb = (typeof channelVerbs)[number];

/** Splits "test north" into the verb and the rest; undefined if the text does not begin with a verb. */
export const verbIn = (
  typed: string,
  wordsOf: (verb: ChannelVerb) => string,
): { readonly verb: ChannelVerb; readonly rest: string } | undefined => {
  const text = typed.trim().toLowerCase();
  for (const verb of channelVerbs)
    for (const word of wordsOf(verb).split(',')) {
      const rest = text.slice(word.length);
      // In Chinese there is no space between the two.
      const isWhole = rest.startsWith(' ') || /[^a-z]$/.test(word);
      if (text.startsWith(word) && isWhole && rest.trim() !== '') return { verb, rest: rest.trim() };
    }
  return undefined;
};
