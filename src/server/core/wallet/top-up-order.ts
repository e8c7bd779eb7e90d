/** An order to pay for quota. Amount and price are fixed when it is made. */
export interface TopUpOrder {
  readonly id: number;
  readonly userId: number;
  /** The payment gateway's unique id for the order. */
  readonly tradeNo: string;
  readonly provider: 'epay';
  /** The gateway's code for the payment method, such as `alipay`. */
  readonly method: string;
  readonly quotaUnits: number;
  /** Hundredths of the currency the gateway asks for. */
  readonly moneyCents: number;
  readonly status: 'pending' | 'paid';
  readonly createdAtMs: number;
  readonly paidAtMs: number | null;
}

export type NewTopUpOrder = Omit<TopUpOrder, 'id' | 'status' | 'paidAtMs'>;

/** Stores payment orders. Only the ledger marks one as paid, in the transaction that credits it. */
export interface TopUpOrderStore {
  /** @returns the order's id; `taken` if the trade number exists */
  create(order: NewTopUpOrder): Promise<number | 'taken'>;
  byTradeNo(tradeNo: string): Promise<TopUpOrder | undefined>;
}
