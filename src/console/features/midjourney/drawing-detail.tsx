import type { ReactNode } from 'react';
import { Copy } from '../../kit/copy.tsx';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { Drawing } from './drawing.ts';
import { SubmitPill } from './submit-pill.tsx';

/** Details below the row: both prompts, the failure reason, the times. */
export const DrawingDetail = ({ row }: { readonly row: Drawing }) => {
  const { t } = useTranslation('midjourney');
  return (
    <dl className="drawing-detail">
      <Line title={t('column.id')}>
        <Copy value={row.mj_id} mono label={t('copyId')} />
      </Line>
      <Line title={t('column.code')}>
        <SubmitPill code={row.code} />
      </Line>
      {row.prompt !== '' && <Line title={t('column.prompt')}>{row.prompt}</Line>}
      {row.prompt_en !== '' && <Line title={t('column.promptEn')}>{row.prompt_en}</Line>}
      {row.fail_reason !== '' && (
        <Line title={t('column.reason')}>
          <span className="tone-bad">{row.fail_reason}</span>
        </Line>
      )}
      <Line title={t('column.finished')}>
        <TimeText at={Math.floor(row.finish_time / 1000)} exact />
      </Line>
      <Line title={t('column.quota')}>
        <QuotaText units={row.quota} />
      </Line>
    </dl>
  );
};

const Line = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);
