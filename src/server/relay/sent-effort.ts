type Fields = Readonly<Record<string, unknown>>;

/** Where the formats have it: chat, Responses, Messages, Gemini, and Claude at Bedrock. */
const PLACES = [
  ['reasoning_effort'],
  ['reasoning', 'effort'],
  ['output_config', 'effort'],
  ['generationConfig', 'thinkingConfig', 'thinkingLevel'],
  ['additionalModelRequestFields', 'output_config', 'effort'],
] as const;
/** Longer than any of their words. */
const WORD_MAX = 20;

/** How hard the model was told to think, as the upstream was told: the caller's word, a suffix's or an override's. */
export const sentEffort = (body: Fields): string | undefined => {
  for (const place of PLACES) {
    const word = at(body, place);
    if (typeof word === 'string' && word.length <= WORD_MAX) return word.toLowerCase();
  }
  return undefined;
};

const at = (body: unknown, place: readonly string[]): unknown => {
  let found = body;
  for (const name of place)
    found = typeof found === 'object' && found !== null ? (found as Fields)[name] : undefined;
  return found;
};
