import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { CHANNEL_TEST_NAME, logType } from '#contract/codes.ts';
import { Copy } from '../../kit/copy.tsx';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { Chip, StatusPill, type Tone } from '../../kit/status.tsx';
import { formatDuration, formatExact, MISSING } from '../../lib/text/format.ts';
import { type Translate, useTranslation } from '../../lib/text/i18n.ts';
import { useHasCards } from '../../lib/browser/media.ts';
import { readRowFacts } from './row-facts.ts';
import type { LogEntry } from './log-query.ts';
import { durationTone, firstTokenTone } from './log-times.ts';
import { typeKeys } from './use-log-filters.tsx';

interface CellProps {
  readonly entry: LogEntry;
}

export const missing = <span className="tone-muted">{MISSING}</span>;

/** Rows without a type are shown as consumption. Source: specification, log type. */
export const typeOf = (entry: LogEntry): keyof typeof typeKeys =>
  Object.hasOwn(typeKeys, entry.type) ? (entry.type as keyof typeof typeKeys) : logType.consume;

export const isCall = (entry: LogEntry): boolean => {
  const type = typeOf(entry);
  return type === logType.consume || type === logType.error;
};

/** The name of a row for screen readers: its model, or its kind if it is no call. */
export const rowName = (entry: LogEntry, t: Translate<'logs'>): string =>
  t('row', { id: entry.id, about: entry.model_name || t(typeKeys[typeOf(entry)]) });

/** What was charged or came in: a gift, a top-up, a grant. Admins see where a charge is below its cost. */
export const CostCell = ({ entry }: CellProps) => {
  const { t } = useTranslation('logs');
  if (!isCall(entry) && entry.quota > 0)
    return (
      <span className="tone-ok">
        +<QuotaText units={entry.quota} />
      </span>
    );
  const isBelow = readRowFacts(entry.other).isBelowCost;
  if (!isBelow) return entry.quota === 0 ? missing : <QuotaText units={entry.quota} />;
  return (
    <span className="log-lines">
      <QuotaText units={entry.quota} />
      <Chip tone="bad">{t('belowCost')}</Chip>
    </span>
  );
};

/** The channel that answered, and the channels tried before it, if any. */
export const ChannelCell = ({ entry }: CellProps) => {
  const { t } = useTranslation('logs');
  const { t: common } = useTranslation();
  if (entry.channel === 0) return missing;
  const chain = readRowFacts(entry.other).chain;
  return (
    <span className="log-lines">
      {entry.channel_name === '' ? (
        <span className="truncate log-channel">{common('channelGone')}</span>
      ) : (
        <Link
          to="/channel"
          search={{ edit: String(entry.channel) }}
          className="log-user truncate log-channel"
          data-tip={entry.channel_name}
        >
          {entry.channel_name}
        </Link>
      )}
      {chain.length > 1 ? (
        <span className="meta number log-chain" data-tip={t('retried', { count: chain.length - 1 })}>
          {chain.join('->')}
        </span>
      ) : (
        <span className="meta number">#{entry.channel}</span>
      )}
    </span>
  );
};

interface OwnerCellProps extends CellProps {
  /** For admins: the caller, with a link to the account. */
  readonly onUser: ((entry: LogEntry) => void) | undefined;
}

export const OwnerCell = ({ entry, onUser }: OwnerCellProps) => {
  const { t } = useTranslation('logs');
  const token = entry.token_name !== '' && (
    <Copy
      value={entry.token_name}
      shown={entry.token_name === CHANNEL_TEST_NAME ? t('channelTest') : undefined}
      label={t('copyToken', { name: entry.token_name })}
    />
  );
  if (onUser === undefined) return token || missing;
  return (
    <span className="log-lines log-owner">
      {entry.username === '' ? (
        missing
      ) : (
        <button
          type="button"
          className="log-user truncate"
          data-tip={t('showUser')}
          onClick={() => onUser(entry)}
        >
          {entry.username}
        </button>
      )}
      {token && <span className="meta">{token}</span>}
    </span>
  );
};

const typeTones: Readonly<Record<keyof typeof typeKeys, Tone>> = {
  [logType.topUp]: 'ok',
  [logType.consume]: 'muted',
  [logType.manage]: 'warn',
  [logType.system]: 'info',
  [logType.error]: 'bad',
};

export const TypeCell = ({ entry }: CellProps) => {
  const { t } = useTranslation('logs');
  const type = typeOf(entry);
  return <StatusPill tone={typeTones[type]}>{t(typeKeys[type])}</StatusPill>;
};

/**
 * The requested model, and the upstream's if a mapping changed it. On phones it is the card's title; rows that are no
 * calls show what happened.
 */
export const ModelCell = ({ entry }: CellProps) => {
  const { t } = useTranslation('logs');
  const hasCards = useHasCards();
  if (entry.model_name === '') {
    if (hasCards) return <span className="log-event">{entry.content}</span>;
    return (
      <>
        <span className="tone-muted log-no-model">{MISSING}</span>
        <span className="log-summary log-in-place">{entry.content}</span>
      </>
    );
  }
  const { upstreamModel, askedModel } = readRowFacts(entry.other);
  return (
    <span className="log-lines log-model">
      <Copy value={entry.model_name} mono label={t('copyModel', { name: entry.model_name })} />
      {askedModel !== '' && (
        <span className="meta mono log-mapped" data-tip={t('askedAs', { model: askedModel })}>
          <IconArrowLeft size={11} aria-hidden />
          <span className="truncate">{askedModel}</span>
        </span>
      )}
      {upstreamModel !== '' && (
        <span className="meta mono log-mapped" data-tip={t('mappedTo', { model: upstreamModel })}>
          <IconArrowRight size={11} aria-hidden />
          <span className="truncate">{upstreamModel}</span>
        </span>
      )}
    </span>
  );
};

/** Duration, time to the first token, and whether it was streamed. */
export const TimesCell = ({ entry }: CellProps) => {
  const { t } = useTranslation('logs');
  if (!isCall(entry)) return missing;
  const { firstTokenMs } = readRowFacts(entry.other);
  return (
    <span className="log-lines number">
      <span className="log-times">
        <span className={`tone-${durationTone(entry.use_time_ms / 1000)}`} data-tip={t('useTime')}>
          {formatDuration(entry.use_time_ms)}
        </span>
        {firstTokenMs !== undefined && entry.is_stream && (
          <span className={`tone-${firstTokenTone(firstTokenMs / 1000)}`} data-tip={t('firstToken')}>
            {formatDuration(firstTokenMs)}
          </span>
        )}
      </span>
      <span className="meta">{t(entry.is_stream ? 'stream' : 'whole')}</span>
    </span>
  );
};

export const InputCell = ({ entry }: CellProps) => {
  const { t } = useTranslation('logs');
  if (entry.prompt_tokens === 0) return missing;
  const { cachedTokens } = readRowFacts(entry.other);
  return (
    <span className="log-lines">
      <span>{formatExact(entry.prompt_tokens)}</span>
      {cachedTokens > 0 && (
        <span className="meta">{t('cached', { count: cachedTokens, exact: formatExact(cachedTokens) })}</span>
      )}
    </span>
  );
};

const short = (ratio: number): string => String(Number(ratio.toPrecision(4)));

/** A one-line summary: the price, the error, or what happened. */
export const DetailCell = ({ entry }: CellProps) => {
  const { t } = useTranslation('logs');
  const hasCards = useHasCards();
  const { ratios, error } = readRowFacts(entry.other);
  const type = typeOf(entry);
  if (type === logType.error) {
    const text = [error?.status ? String(error.status) : '', entry.content].filter(Boolean).join(' · ');
    return (
      <span className="log-summary tone-bad" data-tip={text}>
        {text}
      </span>
    );
  }
  const group = ratios.userGroup ?? ratios.group ?? 1;
  const text =
    ratios.perCall !== undefined
      ? t('summary.perCall', { price: ratios.perCall, group })
      : ratios.model !== undefined
        ? t('summary.ratios', {
            model: short(ratios.model),
            completion: short(ratios.completion ?? 1),
            group: short(group),
          })
        : hasCards && entry.model_name === ''
          ? ''
          : entry.content === CHANNEL_TEST_NAME
            ? t('channelTest')
            : entry.content;
  return text === '' ? null : (
    <span className="log-summary" data-tip={text}>
      {text}
    </span>
  );
};
