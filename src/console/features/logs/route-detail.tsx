import { IconArrowDown, IconCheck, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { channelNames } from '#contract/api/channels/channels.ts';
import { Button } from '../../kit/button.tsx';
import { Chip } from '../../kit/status.tsx';
import { call } from '../../lib/server/api.ts';
import { formatDuration, formatExact, formatMoney } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { CallWaterfall } from './call-waterfall.tsx';
import { readCallFacts } from './call-facts.ts';
import type { Attempt, RouteFacts } from './call-facts.ts';
import type { LogEntry } from './log-query.ts';
import type { SessionFacts } from './session-facts.ts';

type Names = ReadonlyMap<number, string>;

/** For admins: each attempt and its result, and why the other channels were not chosen. */
export const RouteDetail = ({ route, entry }: { readonly route: RouteFacts; readonly entry: LogEntry }) => {
  const { t } = useTranslation('log-more');
  const names = useChannelNames(entry, route);
  const { attempts, leftOut, group, isCoolingTaken, isRetryRefused, queued, session } = route;
  return (
    <>
      <CallWaterfall route={route} entry={entry} names={names} />
      <section className="log-part log-part-wide log-route">
        <div>
          <h2>
            {t('route.attempts')}{' '}
            {group !== '' && <span className="meta">{t('route.group', { group })}</span>}
          </h2>
          {attempts.length === 0 && (
            <p className="meta">{t(entry.channel > 0 ? 'route.unknownAttempts' : 'route.noAttempts')}</p>
          )}
          <ol className="attempts">
            {attempts.map((attempt, at) => (
              <AttemptLine
                key={`${at} ${attempt.channel}`}
                attempt={attempt}
                names={names}
                isLast={at === attempts.length - 1}
              />
            ))}
          </ol>
          {queued !== undefined && (
            <p className="meta">
              {t('route.queued', { position: queued.position, time: formatDuration(queued.waitMs) })}{' '}
              <ChannelName id={queued.channel} names={names} />
            </p>
          )}
          {session !== undefined && <SessionLine session={session} names={names} />}
          {isRetryRefused && <p className="meta tone-warn">{t('route.retryRefused')}</p>}
          {isCoolingTaken && <p className="meta tone-warn">{t('route.coolingTaken')}</p>}
        </div>
        <div>
          {leftOut !== undefined && (
            <>
              <h2>{t('route.leftOut')}</h2>
              <LeftOut leftOut={leftOut} names={names} />
            </>
          )}
          {entry.model_name !== '' && (
            <p>
              <Link to="/channel" search={questionOf(entry)} className="link">
                {t('route.explain')}
              </Link>
            </p>
          )}
        </div>
      </section>
    </>
  );
};

/** How many are shown at first: a site may have a thousand channels. */
const SHOWN_FIRST = 8;

/** The channels that were not chosen, each with its reason. */
const LeftOut = ({
  leftOut,
  names,
}: {
  readonly leftOut: NonNullable<RouteFacts['leftOut']>;
  readonly names: Names;
}) => {
  const { t } = useTranslation('log-more');
  const [isWhole, setWhole] = useState(false);
  if (leftOut.length === 0) return <p className="meta">{t('route.onlyOne')}</p>;
  // A single further line takes no more space than the button that would hide it.
  const shown = isWhole || leftOut.length <= SHOWN_FIRST + 1 ? leftOut : leftOut.slice(0, SHOWN_FIRST);
  return (
    <>
      <ul className="left-out">
        {shown.map(({ channel, reason }) => (
          <li key={channel}>
            <ChannelName id={channel} names={names} />
            <Chip tip={reasonText(reason, 'why', t)}>{reasonText(reason, 'reason', t)}</Chip>
          </li>
        ))}
      </ul>
      {shown.length < leftOut.length && (
        <Button size="small" onClick={() => setWhole(true)}>
          {t('route.allLeftOut', { count: leftOut.length, shown: formatExact(leftOut.length) })}
        </Button>
      )}
    </>
  );
};

/** The same call as a question for the dialog on the channels page that explains calls. */
const questionOf = (entry: LogEntry): Record<string, string> => {
  const { askedModel, formats, sessionId } = readCallFacts(entry.other);
  return {
    explain: '1',
    user: String(entry.user_id),
    token: String(entry.token_id),
    of: askedModel || entry.model_name,
    in: entry.group,
    format: formats[0] ?? '',
    prompt: String(entry.prompt_tokens),
    answer: String(entry.completion_tokens),
    ...(sessionId !== '' && { session: sessionId }),
  };
};

/** The channel where the session's cache was warm, and whether the call went there. */
const SessionLine = ({ session, names }: { readonly session: SessionFacts; readonly names: Names }) => {
  const { t } = useTranslation('log-more');
  const { from, boundTo, passedOver, moved } = session;
  const word = boundTo === 0 ? 'sessionNew' : passedOver === '' ? 'sessionStays' : 'sessionMoved';
  return (
    <p className="meta">
      {t(`route.${word}`, { from })} {boundTo !== 0 && <ChannelName id={boundTo} names={names} />}{' '}
      {passedOver !== '' && (
        <Chip tip={reasonText(passedOver, 'why', t)}>{reasonText(passedOver, 'reason', t)}</Chip>
      )}
      {moved !== undefined && (
        <>
          {' '}
          {t('route.moved', {
            stay: formatMoney(moved.stayUsd),
            move: formatMoney(moved.moveUsd),
            cold: formatMoney(moved.coldUsd),
          })}
        </>
      )}
    </p>
  );
};

const AttemptLine = ({
  attempt,
  names,
  isLast,
}: {
  readonly attempt: Attempt;
  readonly names: Names;
  readonly isLast: boolean;
}) => {
  const { t } = useTranslation('log-more');
  const isGood = attempt.error === '' && attempt.status < 400;
  return (
    <li className="attempt">
      <span className={isGood ? 'attempt-mark tone-ok' : 'attempt-mark tone-bad'} aria-hidden>
        {isGood ? <IconCheck size={14} /> : <IconX size={14} />}
      </span>
      <span>
        <ChannelName id={attempt.channel} names={names} />{' '}
        {attempt.race !== '' && (
          <Chip tip={t('route.raceTip')}>
            {t(attempt.race === 'won' ? 'route.raceWon' : 'route.raceLost')}
          </Chip>
        )}
      </span>
      <span className={isGood ? 'number tone-ok' : 'number tone-bad'}>
        {attempt.status === 0 ? t('route.noAnswer') : attempt.status}
      </span>
      <span className="meta number">{formatDuration(attempt.ms)}</span>
      {attempt.error !== '' && <span className="attempt-error">{attempt.error}</span>}
      {!isLast && <IconArrowDown size={12} className="attempt-next" aria-hidden />}
    </li>
  );
};

const ChannelName = ({ id, names }: { readonly id: number; readonly names: Names }) => (
  <span className="attempt-channel">
    {names.get(id) ?? ''} <span className="meta number">#{id}</span>
  </span>
);

const reasons = {
  disabled: 'disabled',
  other_group: 'otherGroup',
  unsupported_operation: 'unsupported',
  too_long: 'tooLong',
  below_cost: 'belowCost',
  tried: 'tried',
  cooling: 'cooling',
  doubtful: 'doubtful',
  no_key: 'noKey',
  no_room: 'noRoom',
  lower_priority: 'lowerPriority',
  not_drawn: 'notDrawn',
  bound_elsewhere: 'boundElsewhere',
  gone: 'gone',
  key: 'key',
  busy: 'busy',
  cheaper: 'cheaper',
} as const;

const reasonText = (
  reason: string,
  kind: 'reason' | 'why',
  t: ReturnType<typeof useTranslation<'log-more'>>['t'],
): string => {
  const known = Object.entries(reasons).find(([name]) => name === reason)?.[1];
  return known === undefined ? reason : t(`${kind}.${known}`);
};

const NO_NAMES: Names = new Map();
/** The most names that the server gives at once; a row mentions fewer. */
const NAMES_MAX = 200;

/** The names of the channels in the row; deleted ones are shown by id. */
const useChannelNames = (entry: LogEntry, { attempts, leftOut, queued, session }: RouteFacts): Names => {
  const told = [...attempts, ...(leftOut ?? []), ...(queued === undefined ? [] : [queued])].map(
    ({ channel }) => channel,
  );
  const ids = [...new Set([...told, session?.boundTo ?? 0])].filter((id) => id > 0).slice(0, NAMES_MAX);
  const asked = ids.join(',');
  const { data } = useQuery({
    queryKey: ['channel-names', asked],
    queryFn: async ({ signal }): Promise<Names> =>
      new Map(
        (await call(channelNames, { query: { ids: asked } }, signal)).map(({ id, name }) => [id, name]),
      ),
    staleTime: 60_000,
    enabled: asked !== '',
  });
  const names = data ?? NO_NAMES;
  return entry.channel_name === '' || names.has(entry.channel)
    ? names
    : new Map([...names, [entry.channel, entry.channel_name]]);
};
