import { Fact } from '../../kit/fact.tsx';
import { Copy } from '../../kit/copy.tsx';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { ChannelLink } from '../../shared/channel-link.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { Drawing } from './drawing.ts';
import { SubmitPill } from './submit-pill.tsx';

/** Details below the row: both prompts, the failure reason, the times. */
export const DrawingDetail = ({ row }: { readonly row: Drawing }) => {
  const { t } = useTranslation('midjourney');
  return (
    <dl className="drawing-detail">
      <Fact title={t('column.id')}>
        <Copy value={row.mj_id} mono label={t('copyId')} />
      </Fact>
      <Fact title={t('column.code')}>
        <SubmitPill code={row.code} />
      </Fact>
      {row.channel_id !== 0 && (
        <Fact title={t('column.channel')}>
          <ChannelLink id={row.channel_id} name={row.channel_name} />
        </Fact>
      )}
      {row.prompt !== '' && <Fact title={t('column.prompt')}>{row.prompt}</Fact>}
      {row.prompt_en !== '' && <Fact title={t('column.promptEn')}>{row.prompt_en}</Fact>}
      {row.fail_reason !== '' && (
        <Fact title={t('column.reason')}>
          <span className="tone-bad">{row.fail_reason}</span>
        </Fact>
      )}
      <Fact title={t('column.finished')}>
        <TimeText at={Math.floor(row.finish_time / 1000)} exact />
      </Fact>
      <Fact title={t('column.quota')}>
        <QuotaText units={row.quota} />
      </Fact>
    </dl>
  );
};
