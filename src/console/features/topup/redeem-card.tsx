import { IconExternalLink } from '@tabler/icons-react';
import { useState, type SyntheticEvent } from 'react';
import { redeem } from '#contract/api/wallet/wallet.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { call } from '../../lib/server/api.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { formatQuota } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { BALANCE, MOVEMENTS } from './wallet-calls.ts';

/** Redeems a code; with a link to where codes are sold. */
export const RedeemCard = ({ link }: { readonly link: string | undefined }) => {
  const { t } = useTranslation('topup');
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string>();
  const action = useAction({
    run: (code: string) => call(redeem, { body: { key: code } }),
    refresh: [BALANCE, MOVEMENTS],
    quiet: true,
  });
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    const code = key.trim();
    if (code === '') return setProblem(t('redeem.needed'));
    setProblem(undefined);
    action.mutate(code, {
      onSuccess: (units) => {
        setKey('');
        toast('ok', t('redeem.done', { quota: formatQuota(units) }));
      },
      onError: (error) => setProblem(messageOf(error)),
    });
  };
  const openShop = (): void => {
    if (link === undefined || link === '') toast('bad', t('redeem.noLink'));
    else window.open(link, '_blank', 'noopener,noreferrer');
  };
  return (
    <section className="wallet-card">
      <h2>{t('redeem.title')}</h2>
      <p className="tone-muted">{t('redeem.about')}</p>
      <form className="wallet-redeem" noValidate onSubmit={send}>
        <TextField
          label={t('redeem.code')}
          placeholder={t('redeem.placeholder')}
          mono
          maxLength={100}
          value={key}
          onChange={setKey}
          error={problem}
        />
        <div className="wallet-buttons">
          <Button variant="primary" type="submit" busy={action.isPending}>
            {t('redeem.submit')}
          </Button>
          <Button icon={<IconExternalLink size={16} />} onClick={openShop}>
            {t('redeem.getCode')}
          </Button>
        </div>
      </form>
    </section>
  );
};
