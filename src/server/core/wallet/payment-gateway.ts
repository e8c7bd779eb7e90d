import type { TopUpOrder } from './top-up-order.ts';

/** What a browser posts to be let in at the cashier's. */
export interface PaymentForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What a gateway tells of an order, its signature checked. */
export interface PaymentNotice {
  readonly tradeNo: string;
  readonly moneyCents: number;
  /** False for every state but "the money is there". */
  readonly isPaid: boolean;
}

/** One merchant account at a payment gateway. */
export interface PaymentGateway {
  /** Where an order is paid. */
  form(
    order: Pick<TopUpOrder, 'tradeNo' | 'method' | 'moneyCents'> & { readonly title: string },
  ): PaymentForm;
  /** Reads a notice. Undefined unless the gateway itself signed it for this merchant. */
  readNotice(fields: Readonly<Record<string, string>>): PaymentNotice | undefined;
}

/** How to reach one merchant account. */
export interface MerchantAccount {
  readonly address: string;
  readonly merchantId: string;
  readonly key: string;
  /** Where the gateway tells us. */
  readonly notifyUrl: string;
  /** Where the payer is sent back. */
  readonly returnUrl: string;
}
