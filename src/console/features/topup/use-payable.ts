import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { payableAmount } from '#contract/api/wallet/wallet.ts';
import { call } from '../../lib/server/api.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { useTranslation } from '../../lib/text/i18n.ts';

const PAUSE_MS = 300;

export interface Payable {
  /** With two decimals; `0.00` while it is unknown or refused. */
  readonly text: string;
  readonly problem: string | undefined;
  readonly isBusy: boolean;
}

/** The price of an amount, requested once typing pauses; nothing is requested for 0. */
export const usePayable = (amount: number): Payable => {
  const { t } = useTranslation('topup');
  const [asked, setAsked] = useState(amount);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(amount), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [amount]);
  const query = useQuery({
    queryKey: ['payable', asked],
    queryFn: ({ signal }) => call(payableAmount, { body: { amount: asked, top_up_code: '' } }, signal),
    enabled: asked > 0,
    retry: false,
  });
  return {
    text: query.data ?? '0.00',
    problem: query.isError ? t('online.amountFailed', { message: messageOf(query.error) }) : undefined,
    isBusy: query.isFetching || asked !== amount,
  };
};
