/**
 * Names of OpenAI's reasoning models (developers.openai.com/api/docs, reasoning; as of November 2026). They never show
 * their thoughts: only the last usage report says how many tokens those took.
 */
const THINKS = /^(?:o[1-9]|gpt-[5-9])(?!.*-chat)/;

/** Whether a model of this name hides its thoughts. Gateways put the maker in front of the name. */
export const thinksOutOfSight = (model: string): boolean =>
  THINKS.test(model.slice(model.lastIndexOf('/') + 1));

/**
 * Models that do not think and whose longest answer their makers document: 32,768 tokens for GPT-4.1, less for the
 * others (model pages of OpenAI, Anthropic and Google, November 2026). Excludes variants with such names that think
 * or work on their own.
 */
const NEVER_THINKS =
  /^(?:gpt-3\.5|gpt-4|chatgpt-4o|claude-(?:instant|2|3(?!\W7))|gemini-(?:1\.5|2\.0-flash))(?!.*(?:think|reason|64k|long|all|gizmo|plugin))/;

/** The longest answer of a model that never thinks. */
export const MOST_WORDS_TOKENS = 32_768;

/** Whether a model of this name never thinks and has a known limit of its answers. */
export const neverThinks = (model: string): boolean =>
  NEVER_THINKS.test(model.slice(model.lastIndexOf('/') + 1));

/**
 * The longest answers of models that think, thoughts included. Lists only models that their makers alone run and
 * limit in every mode (model pages of Anthropic, Google and OpenAI, November 2026), so none that may answer longer in
 * a batch.
 */
const LONGEST: readonly (readonly [RegExp, number])[] = [
  [/^claude-opus-4(?:[-.@]?[01])?(?=$|[-@]20|-latest|-think|:)/, 32_000],
  [/^claude-(?:sonnet-4(?:[-.@]?[05])?|(?:opus|haiku)-4[-.]5)(?=$|[-@]20|-latest|-think|:)/, 64_000],
  [/^gemini-(?:2\.5|3|3\.[156])-(?:pro|flash)/, 65_536],
  [/^o[134](?=$|-mini|-pro|-20)/, 100_000],
];
/** Suffixes with which hosts sell more than the model itself. */
const SELLS_MORE = /long|all|gizmo|plugin|research|live|1m/;

/** The longest answer of a model of this name, thoughts included; undefined if unknown. */
export const longestAnswer = (model: string): number | undefined => {
  const name = model.slice(model.lastIndexOf('/') + 1);
  return SELLS_MORE.test(name) ? undefined : LONGEST.find(([pattern]) => pattern.test(name))?.[1];
};
