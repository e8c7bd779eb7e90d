/** Somebody wants to pay for quota. Amount and price are fixed when it is made. */
export interface TopUpOrder {
  readonly id: number;
  readonly userId: number;
  /** What the payment gateway knows it by; unique. */
  readonly tradeNo: string;
  readonly provider: 'epay';
  /** The gateway's code for the way to pay: `alipay`. */
  readonly method: string;
  readonly quotaUnits: number;
  /** Hundredths of the currency the gateway asks for. */
  readonly moneyCents: number;
  readonly status: 'pending' | 'paid';
  readonly createdAtMs: number;
  readonly paidAtMs: number | null;
}

export type NewTopUpOrder = Omit<TopUpOrder, 'id' | 'status' | 'paidAtMs'>;

/** Orders to pay. That one is paid is the ledger's to say, in the transaction that credits it. */
export interface TopUpOrderStore {
  /** @returns its id; `taken` when the trade number exists */
  create(order: NewTopUpOrder): Promise<number | 'taken'>;
  byTradeNo(tradeNo: string): Promise<TopUpOrder | undefined>;
}
