/** What providers put before the names of others' models: `openai/`, `models/`, `us.anthropic.`. */
const BEFORE = /^(?:.*\/|(?:[a-z]{2,6}\.)?(?:anthropic|amazon|meta|mistral|cohere|deepseek)\.)/;
/**
 * What may follow the name of a model and is the same model: a date, a number of a release, a place where it is served, a
 * name of a moving release.
 */
const AFTER =
  /(?:[-@:](?:20\d{2}-?\d{2}-?\d{2}|\d{4}|\d{3}|v\d+(?:[.:]\d+)*|latest|stable|default|free|online|global|\d{1,2}-20\d{2}|\d{2}-\d{2}))+$/;

/** A model's name without what does not tell models apart. */
export const plainModel = (name: string): string => {
  const plain = name.trim().toLowerCase().replaceAll('_', '-').replace(BEFORE, '');
  const short = plain.replace(AFTER, '');
  return short === '' ? plain : short;
};

/**
 * Whether an upstream that was asked for one model names the same in its reply. Dates, releases and the names of providers do
 * not count: `gpt-4o` is answered by `gpt-4o-2024-08-06`.
 */
export const isSameModel = (asked: string, named: string): boolean =>
  asked === named || plainModel(asked) === plainModel(named);
