/** Prefixes that providers put before the names of other vendors' models: `openai/`, `models/`, `us.anthropic.`. */
const BEFORE = /^(?:.*\/|(?:[a-z]{2,6}\.)?(?:anthropic|amazon|meta|mistral|cohere|deepseek)\.)/;
/**
 * Suffixes that do not make another model: a date, a release number, a place of serving, a name of a moving release.
 */
const AFTER =
  /(?:[-@:](?:20\d{2}-?\d{2}-?\d{2}|\d{4}|\d{3}|v\d+(?:[.:]\d+)*|latest|stable|default|free|online|global|\d{1,2}-20\d{2}|\d{2}-\d{2}))+$/;

/** A model's name without the parts that do not distinguish models. */
export const plainModel = (name: string): string => {
  const plain = name.trim().toLowerCase().replaceAll('_', '-').replace(BEFORE, '');
  const short = plain.replace(AFTER, '');
  return short === '' ? plain : short;
};

/**
 * Whether an upstream that was asked for one model names the same one in its reply. Dates, releases and provider names
 * are ignored: `gpt-4o` may be answered by `gpt-4o-2024-08-06`.
 */
export const isSameModel = (asked: string, named: string): boolean =>
  asked === named || plainModel(asked) === plainModel(named);
