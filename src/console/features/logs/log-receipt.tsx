import { IconDownload, IconShieldCheck } from '@tabler/icons-react';
import { readOwnReceipt, readReceipt } from '#contract/api/wallet/seals.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { StatusPill, type Tone } from '../../kit/status.tsx';
import { call } from '../../lib/server/api.ts';
import { downloadText } from '../../lib/browser/download-text.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import type { ReceiptCheck } from './check-receipt.ts';

const TONES: Readonly<Record<ReceiptCheck, Tone>> = {
  sealed: 'ok',
  signed: 'info',
  cleared: 'muted',
  wrong: 'bad',
  unchecked: 'muted',
};

/** The pressed button has been removed, so keyboard users continue from the result. */
const takeFocus = (result: HTMLElement | null): void => {
  if (document.activeElement === document.body) result?.focus();
};

interface LogReceiptProps {
  readonly requestId: string;
  readonly isAdmin: boolean;
}

/** The signed receipt of a call, loaded and checked in the browser on request. */
export const LogReceipt = ({ requestId, isAdmin }: LogReceiptProps) => {
  const { t } = useTranslation('log-more');
  const read = useAction({
    run: async () => {
      const { checkReceipt } = await import('./check-receipt.ts');
      const query = { request_id: requestId };
      const one = await (isAdmin ? call(readReceipt, { query }) : call(readOwnReceipt, { query }));
      return { one, found: await checkReceipt(one) };
    },
  });
  const { data } = read;
  return (
    <section className="log-part log-part-wide">
      <h2>{t('receipt.title')}</h2>
      <div className="log-receipt" role="status">
        {data === undefined ? (
          <>
            <Button
              size="small"
              icon={<IconShieldCheck size={16} />}
              busy={read.isPending}
              onClick={() => read.mutate()}
            >
              {t('receipt.check')}
            </Button>
            <span className="meta">{t('receipt.about')}</span>
          </>
        ) : (
          <>
            <span ref={takeFocus} tabIndex={-1}>
              <StatusPill tone={TONES[data.found]}>{t(`receipt.${data.found}`)}</StatusPill>
            </span>
            <span className="meta">{t(`receipt.${data.found}About`)}</span>
            <Copy value={JSON.stringify(data.one)} label={t('receipt.copy')} iconOnly />
            <Button
              size="small"
              icon={<IconDownload size={16} />}
              onClick={() =>
                downloadText(`receipt-${requestId}.json`, JSON.stringify(data.one, undefined, 2))
              }
            >
              {t('receipt.save')}
            </Button>
          </>
        )}
      </div>
    </section>
  );
};
