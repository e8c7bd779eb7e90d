/**
 * Names of OpenAI's reasoning models (developers.openai.com/api/docs, reasoning; as of November 2026). They never show
 * their thoughts: only the last usage report says how many tokens those took.
 */
const THINKS = /^(?:o[1-9]|gpt-[5-9])(?!.*-chat)/;

/** Whether a model of this name hides its thoughts. Gateways put the maker in front of the name. */
export const thinksOutOfSight = (model: string): boolean =>
  THINKS.test(model.slice(model.lastIndexOf('/') + 1));

/**
 * Models of makers that say of each how long an answer may be, and that it does not think: at most 32,768 tokens of GPT-4.1,
 * less of the others (the models' pages of OpenAI, Anthropic and Google, November 2026). Not those under such names that
 * work on their own.
 */
const NEVER_THINKS =
  /^(?:gpt-3\.5|gpt-4|chatgpt-4o|claude-(?:instant|2|3(?!\W7))|gemini-(?:1\.5|2\.0-flash))(?!.*(?:think|reason|64k|long|all|gizmo|plugin))/;

/** The longest answer of a model that never thinks. */
export const MOST_WORDS_TOKENS = 32_768;

/** Whether a model of this name is known to answer in words alone, and how long its answers are at most. */
export const neverThinks = (model: string): boolean =>
  NEVER_THINKS.test(model.slice(model.lastIndexOf('/') + 1));

/**
 * The longest answers of models that think, thoughts included, where only their makers run them and let none be longer, in any
 * mode (the models' pages of Anthropic, Google and OpenAI, November 2026). Those that may be longer in a batch are left out.
 */
const LONGEST: readonly (readonly [RegExp, number])[] = [
  [/^claude-opus-4(?:[-.@]?[01])?(?=$|[-@]20|-latest|-think|:)/, 32_000],
  [/^claude-(?:sonnet-4(?:[-.@]?[05])?|(?:opus|haiku)-4[-.]5)(?=$|[-@]20|-latest|-think|:)/, 64_000],
  [/^gemini-(?:2\.5|3|3\.[156])-(?:pro|flash)/, 65_536],
  [/^o[134](?=$|-mini|-pro|-20)/, 100_000],
];
/** What hosts put behind a name to sell more than the model. */
const SELLS_MORE = /long|all|gizmo|plugin|research|live|1m/;

/** The longest answer of a model of this name, its thoughts included; undefined if nobody can say. */
export const longestAnswer = (model: string): number | undefined => {
  const name = model.slice(model.lastIndexOf('/') + 1);
  return SELLS_MORE.test(name) ? undefined : LONGEST.find(([pattern]) => pattern.test(name))?.[1];
};
