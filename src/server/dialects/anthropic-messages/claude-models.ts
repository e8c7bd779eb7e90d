/**
 * What Anthropic's models accept, by the version in their name (platform.claude.com/docs: extended thinking, adaptive
 * thinking, effort, structured outputs, as of November 2026). Nothing is assumed of other names.
 */
const VERSION = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?![\d.])/;

/** Major times 100 plus minor: 406 for 4.6. Undefined for other makers' models, Infinity for a Claude without a number. */
const versionOf = (model: string): number | undefined => {
  if (!model.includes('claude-')) return undefined;
  const [, major, minor] = VERSION.exec(model) ?? [];
  if (major !== undefined) return Number(major) * 100 + Number(minor ?? 0);
  return model.includes('claude-instant') ? 100 : Infinity;
};

/**
 * `budget`: a number of tokens; `adaptive`: only the model decides; `either`: both; `unknown`: not one of Anthropic's
 * models.
 */
export type ThinkingStyle = 'none' | 'budget' | 'either' | 'adaptive' | 'unknown';

/** How a model is told to think, by its name. */
export const thinkingStyle = (model: string): ThinkingStyle => {
  const version = versionOf(model);
  if (version === undefined) return 'unknown';
  if (version < 307) return 'none';
  if (version < 406) return 'budget';
  return version < 407 ? 'either' : 'adaptive';
};

/** Whether the model knows the effort `xhigh`; older ones have nothing between `high` and `max`. */
export const knowsExtraHigh = (model: string): boolean => (versionOf(model) ?? Infinity) >= 407;

/**
 * `unsaid`: thinks only if asked; `disabled`: must be told not to; `between-tools`: still thinks between tools;
 * `never`: cannot stop.
 */
export type ThinkingOff = 'unsaid' | 'disabled' | 'between-tools' | 'never';

/** How to stop a model from thinking, or limit it. Source: what's new in each model since 5. */
export const thinkingOff = (model: string): ThinkingOff => {
  const version = versionOf(model) ?? 0;
  if (version >= 500 && /claude-(?:fable|mythos)|claude-opus-5[-.]5/.test(model)) return 'never';
  if (/claude-sonnet-5[-.]5/.test(model)) return 'between-tools';
  return version === 407 || version === 408 ? 'unsaid' : 'disabled';
};

/**
 * Whether a model refuses a forced tool choice, whatever the thinking. Source: what's new in Fable 5.1, Opus 5.5 and
 * Sonnet 5.5.
 */
export const refusesForcedTools = (model: string): boolean => {
  const version = versionOf(model) ?? 0;
  if (/claude-(?:fable|mythos)/.test(model)) return version >= 501;
  return version >= 505 && /claude-(?:opus|sonnet)/.test(model);
};

/** How many of temperature, top_p and top_k a model accepts together. */
export const samplingOf = (model: string): 'all' | 'one' | 'none' => {
  const version = versionOf(model);
  if (version === undefined || version < 401) return 'all';
  return version < 407 ? 'one' : 'none';
};

/** Whether the model continues an answer that the caller began. Source: what's new in 4.6. */
export const takesBeginnings = (model: string): boolean => (versionOf(model) ?? 0) < 406;

/** Whether the model supports JSON schemas for answers and strict tools. */
export const knowsSchemas = (model: string): boolean => (versionOf(model) ?? Infinity) >= 401;
