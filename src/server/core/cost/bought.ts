import type { Usage } from '../chat/usage.ts';
import type { Fields } from '../json/fields.ts';
import type { Service } from '../quota/served-terms.ts';

/** One use of a channel. */
export interface Bought {
  /** The upstream's name of the model. */
  readonly model: string;
  readonly usage: Usage;
  /** The service requested and served, as in the charge. */
  readonly service: Service;
  /** How many times a price per call applies. */
  readonly times: number;
  readonly atMs: number;
  /** The request: read only if the cost of a call depends on seconds or a resolution. */
  readonly body?: Fields | undefined;
}
