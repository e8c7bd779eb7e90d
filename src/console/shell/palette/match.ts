/** What is typed, in words that are all wanted: "rate lim" finds "Limits of the rate". */
export const typedWords = (typed: string): readonly string[] =>
  typed.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * How well texts fit what was typed, the most fitting highest: 3 where the first text begins with it, 2 where each word
 * is in the first text, 1 where each is in any. 0 is no fit. Nothing typed fits everything alike.
 */
export const fitOf = (words: readonly string[], name: string, ...more: readonly string[]): number => {
  const first = name.toLowerCase();
  if (words.every((word) => first.includes(word))) return first.startsWith(words.join(' ')) ? 3 : 2;
  const all = `${first} ${more.join(' ').toLowerCase()}`;
  return words.every((word) => all.includes(word)) ? 1 : 0;
};

/** What can be done to one channel from anywhere. */
export const channelVerbs = ['test', 'off', 'on'] as const;
export type ChannelVerb = (typeof channelVerbs)[number];

/** "test north" is the verb and the rest; undefined where what is typed begins with no verb. */
export const verbIn = (
  typed: string,
  wordsOf: (verb: ChannelVerb) => string,
): { readonly verb: ChannelVerb; readonly rest: string } | undefined => {
  const text = typed.trim().toLowerCase();
  for (const verb of channelVerbs)
    for (const word of wordsOf(verb).split(',')) {
      const rest = text.slice(word.length);
      // Chinese is typed without a blank between the two.
      const isWhole = rest.startsWith(' ') || /[^a-z]$/.test(word);
      if (text.startsWith(word) && isWhole && rest.trim() !== '') return { verb, rest: rest.trim() };
    }
  return undefined;
};
