import './report-view.css';
import type { ChannelTestReport } from '#contract/api/channels/channel-test-report.ts';
import { Copy } from '../../../kit/copy.tsx';
import { formatDuration } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { copyOf, receivedText, sentText } from './test-report.ts';

type Exchange = ChannelTestReport['exchanges'][number];

/** A channel test's exchanges with the upstream: requests, responses, and what was read from them. */
export const TestReport = ({ report }: { readonly report: ChannelTestReport }) => {
  const { t } = useTranslation('channel-more');
  const { format, upstream_model: model, first_token_ms: first, total_ms: total, exchanges } = report;
  const facts = [
    [t('report.format'), format],
    [t('report.model'), model],
    [t('report.firstToken'), first === null ? '' : formatDuration(first)],
    [t('report.total'), formatDuration(total)],
    [t('report.tokens'), `${String(report.input_tokens)} / ${String(report.output_tokens)}`],
  ] as const;
  return (
    <div className="test-report">
      <dl className="report-facts">
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt className="meta">{name}</dt>
              <dd className="number">{value}</dd>
            </div>
          ))}
      </dl>
      {exchanges.length === 0 && <p className="meta">{t('report.nothing')}</p>}
      {exchanges.map((exchange, at) => (
        <ExchangePart key={at} exchange={exchange} />
      ))}
      {exchanges.length > 0 && (
        <Copy value={copyOf(report)} shown={t('report.copy')} label={t('report.copy')} />
      )}
    </div>
  );
};

const ExchangePart = ({ exchange }: { readonly exchange: Exchange }) => {
  const { t } = useTranslation('channel-more');
  const { proxy, status, head_ms: head } = exchange;
  const answered = status === 0 ? t('report.unanswered') : `HTTP ${String(status)}`;
  return (
    <div className="report-exchange">
      <p className="report-head">
        {t('report.sent')}
        {proxy !== '' && <span className="meta">{t('report.proxy', { proxy })}</span>}
      </p>
      <pre className="mono" tabIndex={0} aria-label={t('report.sent')}>
        {sentText(exchange)}
      </pre>
      <p className="report-head">
        {t('report.received')}
        <span className="meta">{head === null ? answered : `${answered} · ${formatDuration(head)}`}</span>
      </p>
      {status !== 0 && (
        <pre className="mono" tabIndex={0} aria-label={t('report.received')}>
          {receivedText(exchange)}
        </pre>
      )}
    </div>
  );
};
