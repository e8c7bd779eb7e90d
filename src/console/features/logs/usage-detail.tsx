import { Notice } from '../../kit/states.tsx';
import { formatExact, formatPercent, listed } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { type BucketName, bucketNames, isBucket } from './bucket-names.ts';
import type { CallFacts } from './call-facts.ts';
import type { LogEntry } from './log-query.ts';

const colours: Readonly<Record<BucketName, string>> = {
  inputTokens: 'var(--chart-1)',
  cacheReadTokens: 'var(--chart-5)',
  audioCacheReadTokens: 'var(--chart-5)',
  imageCacheReadTokens: 'var(--chart-5)',
  cacheWrite5mTokens: 'var(--chart-3)',
  cacheWrite1hTokens: 'var(--chart-3)',
  imageInputTokens: 'var(--chart-4)',
  audioInputTokens: 'var(--chart-4)',
  outputTokens: 'var(--chart-2)',
  audioOutputTokens: 'var(--chart-6)',
  imageOutputTokens: 'var(--chart-6)',
  call: 'var(--chart-rest)',
};

interface UsageDetailProps {
  readonly facts: Pick<CallFacts, 'usage' | 'isEstimated' | 'reported' | 'soldAsText'>;
  readonly entry: LogEntry;
}

/** Usage by bucket: a bar of shares, and each bucket's tokens. */
export const UsageDetail = ({ facts, entry }: UsageDetailProps) => {
  const { usage, isEstimated, reported, soldAsText } = facts;
  const { t } = useTranslation('log-more');
  // Rows of other systems have no buckets: what went in and what came out is all there is.
  const counts: Readonly<Record<string, number>> =
    Object.keys(usage).length > 0
      ? usage
      : { inputTokens: entry.prompt_tokens, outputTokens: entry.completion_tokens };
  const names = (Object.keys(bucketNames) as BucketName[]).filter(
    (name) => name !== 'audioCacheReadTokens' && name !== 'imageCacheReadTokens',
  );
  const parts = names.flatMap((name) => (counts[name] ? [{ name, count: counts[name] }] : []));
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  const reasoning = usage['reasoningTokens'] ?? 0;
  if (total === 0) return null;
  return (
    <section className="log-part">
      <h2>
        {t('detail.usage')}{' '}
        <span className="meta number">{t('detail.tokens', { count: total, exact: formatExact(total) })}</span>
      </h2>
      <div className="usage-bar" aria-hidden>
        {parts.map(({ name, count }) => (
          <span
            key={name}
            style={{ flexGrow: count, background: colours[name] }}
            data-tip={`${t(bucketNames[name])} ${formatPercent(count / total)}`}
          />
        ))}
      </div>
      <ul className="usage-parts">
        {parts.map(({ name, count }) => (
          <li key={name}>
            <span className="usage-dot" style={{ background: colours[name] }} aria-hidden />
            <span>{t(bucketNames[name])}</span>
            <span className="number">{formatExact(count)}</span>
            {name === 'outputTokens' && reasoning > 0 && (
              <span className="meta number usage-within">
                {t('detail.reasoning', { exact: formatExact(reasoning) })}
              </span>
            )}
          </li>
        ))}
      </ul>
      {isEstimated && (
        <Notice tone="info">
          {reported === undefined
            ? t('detail.estimated')
            : t('detail.estimatedBeside', {
                prompt: formatExact(reported.prompt),
                completion: formatExact(reported.completion),
              })}
        </Notice>
      )}
      {soldAsText.length > 0 && (
        <Notice tone="warn">
          {t('detail.soldAsText', {
            kinds: listed(soldAsText.map((name) => (isBucket(name) ? t(bucketNames[name]) : name))),
          })}
        </Notice>
      )}
    </section>
  );
};
