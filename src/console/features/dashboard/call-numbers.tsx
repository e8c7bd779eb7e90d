import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { readKeySums, readOwnKeySums } from '#contract/api/logs/data.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '../../lib/server/api.ts';
import { formatCount, formatDuration, formatExact, formatPercent, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { hitRate } from './cache-sums.ts';
import { type Span, spanBefore, withSign } from './usage-sums.ts';
import { useRefreshMs, type Whose } from './use-usage.ts';

type KeySums = Data<typeof readKeySums>;

const keySumsQuery = ({ from, to }: Span, { isAll, username }: Whose) => ({
  queryKey: ['key-sums', isAll, username, from, to],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
    const query = { start_timestamp: from, end_timestamp: to };
    return isAll
      ? call(readKeySums, { query: { ...query, username } }, signal)
      : call(readOwnKeySums, { query }, signal);
  },
});

const errorRate = ({ answered, failed }: KeySums): number | undefined =>
  answered + failed === 0 ? undefined : failed / (answered + failed);

interface ChangeProps {
  readonly now: number | undefined;
  readonly before: number | undefined;
  /** More is better; otherwise less is. */
  readonly isMoreBetter?: boolean;
  /** The difference as text, without its sign. */
  readonly difference: (now: number, before: number) => string;
  readonly format: (value: number) => string;
}

/** Smaller differences are neither good nor bad. */
const NOISE = 0.05;

/** The change from the previous span; nothing if either value is unknown. */
const Change = ({ now, before, isMoreBetter = false, difference, format }: ChangeProps) => {
  const { t } = useTranslation('dashboard');
  if (now === undefined || before === undefined) return null;
  const isNoise = Math.abs(now - before) <= before * NOISE;
  const tone = isNoise ? undefined : now > before === isMoreBetter ? 'better' : 'worse';
  return (
    <span className="key-change number" data-tone={tone} data-tip={t('before', { value: format(before) })}>
      {withSign(now < before, difference(now, before))}
      <span className="hidden-visually">{t('before', { value: format(before) })}</span>
    </span>
  );
};

/** Errors, time to the first token, and cache hits. Unknown values are dashes. */
export const CallNumbers = ({ span, whose }: { readonly span: Span; readonly whose: Whose }) => {
  const { t } = useTranslation('dashboard');
  const refetchInterval = useRefreshMs();
  const { data: now } = useQuery({
    ...keySumsQuery(span, whose),
    placeholderData: keepPreviousData,
    refetchInterval,
    meta: { isAside: true },
  });
  const { data: before } = useQuery({ ...keySumsQuery(spanBefore(span), whose), staleTime: Infinity });
  const points = (one: number, other: number): string =>
    t('points', { value: Math.abs((one - other) * 100).toFixed(1) });
  const errors = { now: now && errorRate(now), before: before && errorRate(before) };
  const wait = {
    now: now?.first_token_p95_ms ?? undefined,
    before: before?.first_token_p95_ms ?? undefined,
  };
  const hits = { now: now && hitRate(now), before: before && hitRate(before) };
  const item = (
    name: string,
    value: string | undefined,
    change: ReactNode,
    more: ReactNode,
    tip?: string,
  ) => (
    <div className="key-number">
      <dt data-tip={tip}>{name}</dt>
      <dd className="key-value number">
        {value ?? MISSING}
        {change}
      </dd>
      <dd className="meta">{more}</dd>
    </div>
  );
  return (
    <dl>
      {item(
        t('errorRate'),
        errors.now === undefined ? undefined : formatPercent(errors.now),
        <Change {...errors} difference={points} format={formatPercent} />,
        now &&
          t('failed', {
            count: now.failed,
            failed: formatExact(now.failed),
            calls: formatExact(now.answered + now.failed),
          }),
      )}
      {item(
        t('firstToken'),
        wait.now === undefined ? undefined : formatDuration(wait.now),
        <Change
          {...wait}
          difference={(one, other) => formatDuration(Math.abs(one - other))}
          format={formatDuration}
        />,
        now && t('streamed', { count: now.first_token_calls, calls: formatExact(now.first_token_calls) }),
        t('firstTokenTip'),
      )}
      {item(
        t('cacheHits'),
        hits.now === undefined ? undefined : formatPercent(hits.now),
        <Change {...hits} isMoreBetter difference={points} format={formatPercent} />,
        now &&
          t('cachedOf', { cached: formatCount(now.cached_tokens), prompt: formatCount(now.prompt_tokens) }),
      )}
    </dl>
  );
};
