import type { Channel } from './channel.ts';

/** How the balance of one kind of upstream is asked for and read: a pure pair, nothing is sent here. */
export interface BalanceReader {
  /** What is asked, one after the other, each a GET. */
  requests(
    channel: Channel,
    nowMs: number,
  ): readonly { readonly url: string; readonly headers: Readonly<Record<string, string>> }[];
  /**
   * The balance in US dollars from the answers, in the same order. Upstreams that count in yuan are converted at
   * `yuanPerUsd`. Throws where the answers do not say.
   */
  read(bodies: readonly unknown[], yuanPerUsd: number, channel: Channel): number;
}
