import type { TopUpOrder } from './top-up-order.ts';

/** The form a browser posts to open the payment page. */
export interface PaymentForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A gateway's message about an order, its signature checked. */
export interface PaymentNotice {
  readonly tradeNo: string;
  readonly moneyCents: number;
  /** False for every state except paid. */
  readonly isPaid: boolean;
}

/** A merchant account at a payment gateway. */
export interface PaymentGateway {
  /** The payment form of an order. */
  form(
    order: Pick<TopUpOrder, 'tradeNo' | 'method' | 'moneyCents'> & { readonly title: string },
  ): PaymentForm;
  /** Parses a notice; undefined unless the gateway signed it for this merchant. */
  readNotice(fields: Readonly<Record<string, string>>): PaymentNotice | undefined;
}

/** How to reach one merchant account. */
export interface MerchantAccount {
  readonly address: string;
  readonly merchantId: string;
  readonly key: string;
  /** Where the gateway sends notices. */
  readonly notifyUrl: string;
  /** Where the payer returns. */
  readonly returnUrl: string;
}
