import { readSelf } from '#contract/api/people/session.ts';
import { listOwnMovements, topUpInfo } from '#contract/api/wallet/wallet.ts';
import type { Data } from '#contract/endpoint.ts';
import type { Page, View } from '../../kit/resource-table/column.ts';
import { call } from '../../lib/server/api.ts';
import type { Translate } from '../../lib/text/i18n.ts';

export type TopUpInfo = Data<typeof topUpInfo>;
export type PayMethod = TopUpInfo['pay_methods'][number];
export type Movement = Data<typeof listOwnMovements>['items'][number];

/** The default payment methods are translated; those of the operator are shown as written. */
export const methodName = ({ name }: PayMethod, t: Translate<'topup'>): string => {
  if (name === '支付宝') return t('method.alipay');
  return name === '微信' ? t('method.wechat') : name;
};

/** The query keys; whatever changes the balance reloads both. */
export const BALANCE = 'balance';
export const MOVEMENTS = 'movements';

export const balanceQuery = {
  queryKey: [BALANCE],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(readSelf, {}, signal),
};

export const infoQuery = {
  queryKey: ['top-up-info'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(topUpInfo, {}, signal),
};

export const loadMovements = (view: View, signal: AbortSignal): Promise<Page<Movement>> =>
  call(listOwnMovements, { query: { p: view.page, page_size: view.pageSize } }, signal);
