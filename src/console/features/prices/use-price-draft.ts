import { useState } from 'react';
import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { dollarsOfRatio } from '#contract/model-dollars.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { dollarsOfSet, type PriceDraft, type PricedModel, type PriceTexts, setOf, textsIn } from './price.ts';

const EMPTY: PriceTexts = { input: '', output: '', cacheRead: '', cacheWrite: '', call: '' };

export type PricePart = 'input' | 'output' | 'cacheRead' | 'cacheWrite';

/** US dollars for a million tokens of a model with a ratio of 1, on this site. */
export const useDollarsOfRatio = (): number =>
  dollarsOfRatio(useSiteStatus()?.quota_per_unit ?? QUOTA_PER_UNIT);

/** The form of a model's price: its input, the resulting settings, and its errors. */
export const usePriceDraft = (row: PricedModel) => {
  const { t } = useTranslation('prices');
  const perRatio = useDollarsOfRatio();
  const { usual } = row;
  const [before] = useState<PriceDraft>({
    mode: row.set.price === null ? 'tokens' : 'call',
    unit: 'usd',
    texts: textsIn(row.set, 'usd', usual, perRatio),
  });
  const [draft, setDraft] = useState(before);
  const [isTried, setTried] = useState(false);
  const { set, problems } = setOf(draft, usual, perRatio);
  const isRight = Object.keys(problems).length === 0;
  const dollars = isRight ? dollarsOfSet(set, usual, perRatio) : undefined;
  const shares = {
    input: usual.model ?? undefined,
    output: usual.completion,
    cacheRead: usual.cache,
    cacheWrite: usual.create_cache,
  };
  return {
    draft,
    set,
    isRight,
    dollars,
    isDirty: JSON.stringify(set) !== JSON.stringify(row.set) || draft.mode !== before.mode,
    setTried,
    turnMode: (mode: PriceDraft['mode']): void => setDraft({ ...draft, mode }),
    // Invalid input cannot be converted, so it stays as typed.
    turnUnit: (unit: PriceDraft['unit']): void =>
      setDraft({ ...draft, unit, texts: isRight ? textsIn(set, unit, usual, perRatio) : draft.texts }),
    clear: (): void => setDraft({ ...draft, mode: 'tokens', texts: EMPTY }),
    change: (name: keyof PriceTexts, text: string): void =>
      setDraft({ ...draft, texts: { ...draft.texts, [name]: text } }),
    errorOf: (name: keyof PriceTexts): string | undefined => {
      const problem = problems[name];
      const isShown = problem !== undefined && (isTried || problem !== 'inputNeeded');
      return isShown ? t(`problem.${problem}`) : undefined;
    },
    /** The value of an empty field. */
    usualText: (name: PricePart): string => {
      const value = draft.unit === 'ratio' ? shares[name] : dollars?.[name];
      return value === undefined ? t('none') : String(value);
    },
  };
};
