import type { ModelCost } from '#contract/channel/channel-cost.ts';
import type { Fields } from '../json/fields.ts';
import type { Channel } from './channel.ts';

/** What an upstream asks for one model. */
export interface AskedPrice {
  /** In US dollars. */
  readonly cost: ModelCost;
  /** It has prices that a flat table cannot hold: of long prompts, pictures or sound. */
  readonly isPartial: boolean;
}

/** How to ask one kind of upstream for its prices and read the response. Pure: sends nothing. */
export interface PriceReader {
  /** The GET requests, to be tried in order until a response contains prices. */
  requests(
    channel: Channel,
  ): readonly { readonly url: string; readonly headers: Readonly<Record<string, string>> }[];
  /**
   * The model and price of one row of the response; undefined if it contains none. Ratios are taken at so many units to the
   * dollar.
   */
  readRow(row: Fields, unitsToDollar?: number): readonly [model: string, price: AskedPrice] | undefined;
}
