import { optionTable, type OptionValues } from '#contract/options.ts';
import { thinkingOff, writeThinking } from '../../../dialects/gemini/request/thinking.ts';
import { fieldsOf, type Fields } from '#core/json/fields.ts';

const SUFFIX = /-(?:(nothinking)|thinking(?:-(\d{1,7}))?|(minimal|low|medium|high|xhigh))$/;

/** The thinking that a suffix of the model's name asks for, and the name without the suffix. */
interface Suffixed {
  readonly model: string;
  readonly off: boolean;
  readonly budget: number | undefined;
  readonly level: string | undefined;
}

const optionOf = <Key extends keyof OptionValues>(
  options: OptionValues | undefined,
  key: Key,
): OptionValues[Key] => options?.[key] ?? (optionTable[key].initial as OptionValues[Key]);

/**
 * Reads the suffixes `-thinking`, `-thinking-N`, `-nothinking` and, since Gemini 3, `-low` and the like. Undefined where
 * the name has none, or where the operator has not switched suffixes on.
 */
export const readSuffix = (model: string, options: OptionValues | undefined): Suffixed | undefined => {
  if (!optionOf(options, 'gemini.thinking_adapter_enabled')) return undefined;
  const match = SUFFIX.exec(model);
  if (match === null) return undefined;
  const [suffix, off, budget, level] = match;
  if (level !== undefined && !/^gemini-[3-9]/.test(model)) return undefined;
  return {
    model: model.slice(0, -suffix.length),
    off: off !== undefined,
    budget: budget === undefined ? undefined : Number(budget),
    level,
  };
};

/**
 * The `thinkingConfig` of a suffix. The budget is clamped to the model's range. A suffix without a number gets a share of
 * the output limit; `-nothinking` switches thinking off where the model allows that.
 */
export const suffixConfig = (
  suffixed: Suffixed,
  config: Fields,
  options: OptionValues | undefined,
): Fields => {
  const { model, off, budget, level } = suffixed;
  const known = fieldsOf(config['thinkingConfig']);
  if (level !== undefined) return { ...known, thinkingLevel: level, includeThoughts: true };
  if (off) return { ...known, ...thinkingOff(model) };
  const most = config['maxOutputTokens'];
  const share = optionOf(options, 'gemini.thinking_adapter_budget_tokens_percentage');
  const wanted = budget ?? (typeof most === 'number' && most > 0 ? Math.trunc(most * share) : undefined);
  if (wanted === undefined) return { ...known, includeThoughts: true };
  return { ...known, ...writeThinking({ budgetTokens: wanted }, model) };
};
