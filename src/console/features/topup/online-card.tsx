import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { pay } from '#contract/api/wallet/wallet.ts';
import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { DOLLAR_PICKS } from '../../kit/fields/dollar-picks.ts';
import { late } from '../../kit/late.tsx';
import { Button } from '../../kit/button.tsx';
import { NumberField } from '../../kit/fields/number-field.tsx';
import { Notice } from '../../kit/states.tsx';
import { callWhole } from '../../lib/server/api.ts';
import { formatCount, formatExact } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { useIsAdmin } from '../../lib/session/session.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { toast } from '../../lib/toasts.ts';
import { postForm } from './post-form.ts';
import { type Payable, usePayable } from './use-payable.ts';
import { methodName, type PayMethod, type TopUpInfo } from './wallet-calls.ts';

const PayDialog = late(() => import('./pay-dialog.tsx'));

/** Online payment: the amount and the payment method. */
export const OnlineCard = ({ info }: { readonly info: TopUpInfo }) => {
  const { t } = useTranslation('topup');
  return (
    <section className="wallet-card">
      <h2>{t('online.title')}</h2>
      {info.enable_online_topup && <p className="tone-muted">{t('online.about')}</p>}
      <OnlineBody info={info} />
    </section>
  );
};

const OnlineBody = ({ info }: { readonly info: TopUpInfo }) => {
  const { t } = useTranslation('topup');
  const isAdmin = useIsAdmin();
  if (!info.enable_online_topup)
    return (
      <>
        <Notice tone="info">{t('online.off')}</Notice>
        {isAdmin && (
          <Link to="/setting" search={{ tab: 'system', card: 'payment' }} className="button wallet-setup">
            {t('online.setUp')}
          </Link>
        )}
      </>
    );
  if (info.pay_methods.length === 0) return <Notice tone="bad">{t('online.wrong')}</Notice>;
  return <OnlineForm info={info} />;
};

const OnlineForm = ({ info }: { readonly info: TopUpInfo }) => {
  const { t } = useTranslation('topup');
  const status = useSiteStatus();
  const inMoney = status?.display_in_currency !== false;
  const perPick = inMoney ? 1 : (status?.quota_per_unit ?? QUOTA_PER_UNIT);
  // Empty while another amount is typed.
  const [typed, setTyped] = useState<number | undefined>(Math.max(info.min_topup, perPick));
  const amount = typed ?? 0;
  const [method, setMethod] = useState<PayMethod>();
  const payable = usePayable(amount);
  const order = useAction({
    run: (type: string) => callWhole(pay, { body: { amount, payment_method: type, top_up_code: '' } }),
  });
  const choose = (wanted: PayMethod): void => {
    if (amount < info.min_topup) toast('bad', t('online.least', { least: info.min_topup }));
    else setMethod(wanted);
  };
  const confirmed = (type: string): void =>
    order.mutate(type, {
      onSuccess: ({ data, ...beside }) => postForm(String(beside['url']), data),
      onSettled: () => setMethod(undefined),
    });
  return (
    <div className="wallet-online">
      <NumberField
        label={t('online.amount')}
        hint={t('online.least', { least: info.min_topup })}
        error={payable.problem}
        min={info.min_topup}
        unit={inMoney ? 'USD' : t('online.units')}
        value={typed}
        onChange={(next) => setTyped(next === undefined ? undefined : Math.max(0, Math.trunc(next)))}
      />
      <div className="presets">
        {DOLLAR_PICKS.map((pick) => pick * perPick)
          .filter((pick) => pick >= info.min_topup)
          .map((pick) => (
            <button
              key={pick}
              type="button"
              className="preset number"
              aria-pressed={amount === pick}
              onClick={() => setTyped(pick)}
            >
              {inMoney ? `$${formatExact(pick)}` : formatCount(pick)}
            </button>
          ))}
      </div>
      <p className="wallet-payable" aria-live="polite" aria-busy={payable.isBusy}>
        <span className="tone-muted">{t('online.payable')}</span>
        <b className="number">{t('online.money', { money: payable.text })}</b>
      </p>
      <Worth dollars={inMoney ? amount : amount / perPick} payable={payable} />
      <div className="wallet-buttons">
        {info.pay_methods.map((one) => (
          <Button
            key={one.type}
            icon={
              <span className="wallet-dot" style={{ '--dot': one.color || 'var(--accent)' }} aria-hidden />
            }
            disabled={amount === 0 || payable.isBusy || payable.problem !== undefined}
            onClick={() => choose(one)}
          >
            {methodName(one, t)}
          </Button>
        ))}
      </div>
      <Suspense>
        {method !== undefined && (
          <PayDialog
            amount={inMoney ? `$${formatExact(amount)}` : formatCount(amount)}
            money={payable.text}
            method={method}
            isBusy={order.isPending}
            onConfirm={() => confirmed(method.type)}
            onClose={() => setMethod(undefined)}
          />
        )}
      </Suspense>
    </div>
  );
};

/** What the amount is worth in CNY, where that is not what it costs. Source: specification, constants. */
const Worth = ({ dollars, payable }: { readonly dollars: number; readonly payable: Payable }) => {
  const { t } = useTranslation('topup');
  const rate = useSiteStatus()?.usd_exchange_rate;
  if (rate === undefined || payable.isBusy || payable.problem !== undefined) return null;
  const money = (dollars * rate).toFixed(2);
  if (money === payable.text) return null;
  return <p className="tone-muted number">{t('online.worth', { money, rate })}</p>;
};
