/** Prefixes that providers put before the names of other vendors' models: `openai/`, `models/`, `us.anthropic.`. */
const BEFORE = /^(?:.*\/|(?:[a-z]{2,6}\.)?[a-z\d]{2,12}\.(?=[a-z])|databricks-)/;
/**
 * Suffixes that do not make another model: a date, a release number, a region, the name of a moving release. They are
 * removed one by one, because a pattern for several would take exponential time on some names, which upstreams
 * choose.
 */
const AFTER = new RegExp(
  `(?:[-@:](?:${[
    /20\d{2}-?\d{2}-?\d{2}(?:-v\d+)?/,
    /(?:0[1-9]|1[0-2])-20\d{2}/,
    /2\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])/,
    /\d{2}-\d{2}/,
    /\d{3,4}/,
    /v1|v?\d{1,9}:\d{1,9}/,
    /latest|stable|default|preview|exp|online|global/,
    // `claude-sonnet-4-0` is the explicit name of the first release, `claude-sonnet-4`.
    /0/,
  ]
    .map(({ source }) => source)
    .join('|')})|:[a-z][a-z-]*|\\.gguf)$`,
);
const MOST_SUFFIXES = 6;
/** Names at Azure cannot contain a dot. */
const GPT_35 = /^gpt-35(?=-|$)/;

/** A model's name without the parts that do not distinguish models. */
const plainModel = (name: string): string => {
  const plain = name.trim().toLowerCase().replaceAll('_', '-').replace(BEFORE, '');
  let short = plain;
  for (let step = 0; step < MOST_SUFFIXES; step += 1) {
    const shorter = short.replace(AFTER, '');
    if (shorter === short || shorter === '') break;
    short = shorter;
  }
  return short.replace(GPT_35, 'gpt-3.5');
};

const MOVING = /[-:]latest$/i;
const VERSION = /^v?\d+(?:\.\d+)*$/;

/**
 * Whether a moving name such as `gemini-flash-latest` may stand for a model: the model has all of its words, and
 * beyond them only versions.
 */
const mayStandFor = (moving: string, named: string): boolean => {
  const words = moving.split('-');
  const rest = named.split('-').filter((word) => !words.includes(word));
  return words.every((word) => named.split('-').includes(word)) && rest.every((word) => VERSION.test(word));
};

/** Names for which the makers themselves name another model in their replies. */
const RENAMED: ReadonlyMap<string, RegExp> = new Map([
  ['deepseek-chat', /^deepseek-v\d/],
  ['deepseek-reasoner', /^deepseek-[vr]\d/],
  ['gpt-5.6', /^gpt-5\.6-sol$/],
  ['grok-3-fast', /^grok-3$/],
  ['grok-3-mini-fast', /^grok-3-mini$/],
]);

/** Names that let the upstream choose the model: `openrouter/auto`, Azure's `model-router`. */
const ROUTER = /(?:^|[-/])(?:auto|router)$/i;

/** A suffix with the reasoning effort, which makers and resellers may add or leave out. */
const EFFORT = /-(?:minimal|low|high|xhigh)$/;

/**
 * Whether an upstream that was asked for one model names the same one in its reply. Dates, releases and provider names
 * are ignored: `gpt-4o` may be answered by `gpt-4o-2024-08-06`, and `grok-3-mini` by `grok-3-mini-high`.
 */
export const isSameModel = (asked: string, named: string): boolean => {
  if (asked === named) return true;
  if (ROUTER.test(asked)) return true;
  const [one, other] = [plainModel(asked), plainModel(named)];
  if (one === other || RENAMED.get(one)?.test(other) === true) return true;
  // One of them may leave the effort out, but two different efforts are different models.
  if (EFFORT.test(one) !== EFFORT.test(other) && one.replace(EFFORT, '') === other.replace(EFFORT, ''))
    return true;
  return MOVING.test(asked) && mayStandFor(one, other);
};

/**
 * Whether an upstream serves the model that callers name, judged by the name it was sent or the name in its reply.
 * Otherwise, as with an alias, another model answers, which has another tokenizer and quality.
 */
export const servesNamed = (model: string, names: readonly (string | undefined)[]): boolean =>
  !ROUTER.test(model) && names.some((name) => name !== undefined && isSameModel(model, name));
