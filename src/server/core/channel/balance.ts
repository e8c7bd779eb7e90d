import type { Channel } from './channel.ts';

/** How to ask one kind of upstream for its balance and read the response. Pure: sends nothing. */
export interface BalanceReader {
  /** The GET requests to send, in order. */
  requests(
    channel: Channel,
    nowMs: number,
  ): readonly { readonly url: string; readonly headers: Readonly<Record<string, string>> }[];
  /**
   * The balance in US dollars, from the responses in the same order. Amounts in yuan are converted at `yuanPerUsd`.
   * Throws if the responses do not contain it.
   */
  read(bodies: readonly unknown[], yuanPerUsd: number, channel: Channel): number;
}
