import { readChannel } from '../parse-channel.ts';
import type { PoolKey } from '../keys/pool.ts';
import type { Channel, ChannelRow } from '../channel.ts';
import type { ChannelOpeners, Routing, RoutingInput } from '../routing.ts';
import { routingSteps } from '../routing-steps.ts';

/** The input of a routing, with channels as rows. */
interface RoutingRows
  extends
    Omit<RoutingInput, 'read'>,
    Pick<ChannelOpeners, 'openKey'>,
    Partial<Pick<ChannelOpeners, 'openProxyPassword'>> {
  readonly rows: readonly ChannelRow[];
  /** Rows that have already been parsed. */
  readonly known?: ReadonlyMap<ChannelRow, Channel>;
  /** The keys of channels that have several. */
  readonly pools?: ReadonlyMap<number, readonly PoolKey[]>;
}

/** Builds the routing from rows at once; the server does it in steps. */
export const buildRouting = ({ rows, known, pools, ...input }: RoutingRows): Routing => {
  const { openKey, openProxyPassword = noPasswords, ...rest } = input;
  const read = rows.map(
    (row) => known?.get(row) ?? readChannel(row, { openKey, openProxyPassword }, pools?.get(row.id)),
  );
  const steps = routingSteps({ ...rest, read });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

const noPasswords = (): never => {
  throw new TypeError('passwords of proxies do not open here');
};
