import './log-detail.css';

import { Fact } from '../../kit/fact.tsx';
import { Chip } from '../../kit/status.tsx';
import { logType } from '#contract/codes.ts';
import { QUOTA_PER_UNIT, NANO_PER_USD } from '#contract/limits.ts';
import { Copy } from '../../kit/copy.tsx';
import { Notice } from '../../kit/states.tsx';
import { formatDuration, formatMoney, formatQuota, formatTime } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useProgramName } from '../../lib/text/program-name.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { formatName } from '../../lib/text/wire-formats.ts';
import { type CallFacts, readCallFacts, type RouteFacts } from './call-facts.ts';
import { isCall, typeOf } from './log-cells.tsx';
import type { LogEntry } from './log-query.ts';
import { LogReceipt } from './log-receipt.tsx';
import { PriceWork } from './price-work.tsx';
import { RouteDetail } from './route-detail.tsx';
import { UsageDetail } from './usage-detail.tsx';

/** All details of a row. */
const LogDetail = ({ entry }: { readonly entry: LogEntry }) => {
  const facts = readCallFacts(entry.other);
  if (!isCall(entry)) return <EventDetail entry={entry} facts={facts} />;
  return (
    <div className="log-detail">
      {typeOf(entry) === logType.error && <Failure entry={entry} facts={facts} />}
      <CallDetail entry={entry} facts={facts} />
      <UsageDetail facts={facts} entry={entry} />
      {typeOf(entry) === logType.consume && <PriceWork facts={facts} quotaUnits={entry.quota} />}
      {typeOf(entry) === logType.consume && entry.request_id !== '' && (
        <LogReceipt requestId={entry.request_id} isAdmin={entry.cost_nano_usd !== undefined} />
      )}
      {facts.route !== undefined && saysSomething(facts.route, entry) && (
        <RouteDetail route={facts.route} entry={entry} />
      )}
    </div>
  );
};

/** Tasks are charged long after they were sent, so their rows have no attempts. */
const saysSomething = ({ attempts, leftOut }: RouteFacts, entry: LogEntry): boolean =>
  attempts.length > 0 || (leftOut?.length ?? 0) > 0 || typeOf(entry) === logType.error;

const EventDetail = ({ entry, facts }: { readonly entry: LogEntry; readonly facts: CallFacts }) => {
  const { t } = useTranslation('log-more');
  return (
    <div className="log-detail">
      <dl className="log-facts">
        <Fact title={t('detail.time')}>
          <span className="number">{formatTime(entry.created_at)}</span>
        </Fact>
        <Fact title={t('detail.content')}>{entry.content}</Fact>
        <HouseLoss facts={facts} />
        {entry.ip !== '' && (
          <Fact title="IP">
            <Copy value={entry.ip} mono />
          </Fact>
        )}
      </dl>
    </div>
  );
};

const Failure = ({ entry, facts }: { readonly entry: LogEntry; readonly facts: CallFacts }) => {
  const { t } = useTranslation('log-more');
  const { error } = facts;
  return (
    <div className="log-part log-part-wide">
      <Notice tone="bad">
        <span className="log-failure">{entry.content}</span>
        {error !== undefined && (
          <span className="meta mono log-codes">
            {[error.status === 0 ? t('detail.noStatus') : String(error.status), error.type, error.code]
              .filter(Boolean)
              .join(' · ')}
          </span>
        )}
      </Notice>
    </div>
  );
};

const CallDetail = ({ entry, facts }: { readonly entry: LogEntry; readonly facts: CallFacts }) => {
  const { t } = useTranslation('log-more');
  const programName = useProgramName();
  const { firstTokenMs, stream, upstreamModel, reasoningEffort, path, formats, service, askedModel } = facts;
  return (
    <section className="log-part">
      <h2>{t('detail.call')}</h2>
      <dl className="log-facts">
        {entry.request_id !== '' && (
          <Fact title={t('detail.requestId')}>
            <Copy value={entry.request_id} mono />
          </Fact>
        )}
        <Fact title={t('detail.time')}>
          <span className="number">{formatTime(entry.created_at)}</span>
        </Fact>
        {entry.program !== '' && <Fact title={t('detail.program')}>{programName(entry.program)}</Fact>}
        {path !== '' && (
          <Fact title={t('detail.path')}>
            <span className="mono">{path}</span>
          </Fact>
        )}
        {formats.length > 0 && (
          <Fact title={t('detail.format')}>
            <FormatWay formats={formats} />
          </Fact>
        )}
        {entry.ip !== '' && (
          <Fact title="IP">
            <Copy value={entry.ip} mono />
          </Fact>
        )}
        {upstreamModel + askedModel !== '' && (
          <Fact title={t('detail.mapped')}>
            <span className="mono">
              {[askedModel, entry.model_name, upstreamModel].filter(Boolean).join(' → ')}
            </span>
          </Fact>
        )}
        {reasoningEffort !== '' && <Fact title={t('detail.reasoningEffort')}>{reasoningEffort}</Fact>}
        {service.asked + service.served !== '' && (
          <Fact title={t('detail.service')}>
            <span data-tip={t('detail.serviceTip')}>
              {service.asked || t('detail.serviceUnasked')} → {service.served || t('detail.serviceUntold')}
              {service.isUnpriced && ` (${t('detail.serviceUnpriced')})`}
            </span>
          </Fact>
        )}
        {firstTokenMs !== undefined && (
          <Fact title={t(entry.is_stream ? 'detail.firstToken' : 'detail.firstByte')}>
            <span className="number">{formatDuration(firstTokenMs)}</span>
          </Fact>
        )}
        {typeOf(entry) === logType.consume && entry.cost_nano_usd !== undefined && (
          <Margin quotaUnits={entry.quota} costNano={entry.cost_nano_usd} />
        )}
        {facts.free !== undefined && <FreePart free={facts.free} />}
        <HouseLoss facts={facts} />
        {stream !== undefined && (
          <Fact title={t('detail.stream')}>
            {stream.status === 'complete' ? (
              t('detail.streamComplete')
            ) : (
              <span className="tone-warn">{t('detail.streamBroken', { reason: stream.reason })}</span>
            )}
          </Fact>
        )}
      </dl>
    </section>
  );
};

/** What a call interrupted by a crash may have cost the operator; for admins. */
const HouseLoss = ({ facts: { lostUnitsAtMost } }: { readonly facts: CallFacts }) => {
  const { t } = useTranslation('log-more');
  if (lostUnitsAtMost === 0) return undefined;
  return (
    <Fact title={t('detail.houseLoss')}>
      <span className="number" data-tip={t('detail.houseLossTip')}>
        {t('detail.atMost', { amount: formatQuota(lostUnitsAtMost) })}
      </span>
    </Fact>
  );
};

/** Cost and margin of the call; for admins. */
const Margin = ({
  quotaUnits,
  costNano,
}: {
  readonly quotaUnits: number;
  readonly costNano: number | null;
}) => {
  const { t } = useTranslation('log-more');
  const unitsPerDollar = useSiteStatus()?.quota_per_unit ?? QUOTA_PER_UNIT;
  if (costNano === null) return <Fact title={t('detail.cost')}>{t('detail.costUnknown')}</Fact>;
  const margin = quotaUnits / unitsPerDollar - costNano / NANO_PER_USD;
  return (
    <>
      <Fact title={t('detail.cost')}>
        <span className="number">{formatMoney(costNano / NANO_PER_USD, 6)}</span>
      </Fact>
      <Fact title={t('detail.margin')}>
        <span className={margin < 0 ? 'number tone-bad' : 'number'}>{formatMoney(margin, 6)}</span>{' '}
        {margin < 0 && <Chip tone="bad">{t('detail.belowCost')}</Chip>}
      </Fact>
    </>
  );
};

/** What of the call the upstream gave away. */
const FreePart = ({ free: { name, of, amount } }: { readonly free: NonNullable<CallFacts['free']> }) => {
  const { t } = useTranslation('log-more');
  const shown = of === 'dollars' ? formatMoney(amount, 6) : amount;
  return (
    <Fact title={t('detail.free')}>{t(`detail.freeOf.${of}`, { name, count: amount, amount: shown })}</Fact>
  );
};

/** The caller's format and the upstream's. */
const FormatWay = ({ formats }: { readonly formats: CallFacts['formats'] }) => {
  const { t } = useTranslation('log-more');
  const isSame = formats.length === 1;
  return (
    <span className="format-way" data-tip={t(isSame ? 'detail.sameFormatTip' : 'detail.formatTip')}>
      {formats.map(formatName).join(' → ')}
      {isSame && <span className="meta">{t('detail.sameFormat')}</span>}
    </span>
  );
};

export default LogDetail;
