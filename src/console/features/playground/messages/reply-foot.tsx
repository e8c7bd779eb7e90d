import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { formatDuration, formatExact, formatQuota, formatQuotaExact } from '../../../lib/text/format.ts';
import type { Message, ReplyMeter } from '../talk/conversation.ts';

/** Tokens per second from the first token to the last; undefined if unknown. */
const tokensPerSecond = ({ completionTokens, firstTokenMs, totalMs }: ReplyMeter): number | undefined => {
  if (completionTokens === undefined || firstTokenMs === undefined || totalMs === undefined) return undefined;
  const seconds = (totalMs - firstTokenMs) / 1000;
  return seconds < 0.02 ? undefined : completionTokens / seconds;
};

/** Model, first token, speed and cost, if known. The cost links to the call's log row. */
export const ReplyFoot = ({ message }: { readonly message: Message }) => {
  const { t } = useTranslation('playground');
  const { meter, model, cut } = message;
  const speed = tokensPerSecond(meter);
  return (
    <span className="reply-meter meta number">
      {model !== '' && <span className="mono">{model}</span>}
      {cut === 'stopped' && <span>{t('stopped')}</span>}
      {meter.firstTokenMs !== undefined && (
        <span data-tip={t('meter.firstToken')}>{formatDuration(meter.firstTokenMs)} TTFT</span>
      )}
      {speed !== undefined && (
        <span
          data-tip={t('meter.tokens', {
            count: meter.completionTokens,
            shown: formatExact(meter.completionTokens ?? 0),
          })}
        >
          {speed < 10 ? speed.toFixed(1) : Math.round(speed)} tok/s
        </span>
      )}
      <LogLink message={message} />
    </span>
  );
};

/** The cost, or the word "log" if there is none; both link to the call's log row. */
const LogLink = ({ message }: { readonly message: Message }) => {
  const { t } = useTranslation('playground');
  const { requestId, quotaUnits } = message.meter;
  if (requestId === undefined || (quotaUnits === undefined && message.status !== 'error')) return null;
  const search = { request_id: requestId };
  if (quotaUnits === undefined)
    return (
      <Link to="/log" search={search} className="reply-cost">
        {t('meter.log')}
      </Link>
    );
  return (
    <Link
      to="/log"
      search={search}
      className="reply-cost"
      data-tip={`${formatQuotaExact(quotaUnits)}\n${t('meter.openLog')}`}
    >
      {formatQuota(quotaUnits)}
    </Link>
  );
};
