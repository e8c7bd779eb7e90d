import type { BalanceReader } from '#core/channel/balance.ts';
import type { ChannelBatchStore } from '#core/channel/channel-batch-store.ts';
import type { ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { SightingStore } from '#core/channel/health/sighting.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Sender } from '#core/outbound/outbound.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { createAutoDisable } from './auto-disable.ts';
import { createBalances } from './checks/channel-balances.ts';
import { createChannelBatch } from './channel-batch.ts';
import { createChannelNotices } from './channel-notices.ts';
import { createChannelKeys } from './keys/channel-keys.ts';
import { createKeyTests } from './keys/key-tests.ts';
import { createPoolKeys } from './keys/pool-keys.ts';
import { createKeyCare } from './keys/key-care.ts';
import { createChannelRounds } from './checks/channel-rounds.ts';
import type { CheckUrl } from './channel-proxy.ts';
import type { NotifyUser } from '../people/notify-user.ts';
import { Sightings } from './sightings.ts';
import type { Upstreams } from './checks/upstreams.ts';

export interface ChannelCareDeps {
  readonly channels: ChannelStore;
  readonly channelBatch: ChannelBatchStore;
  readonly channelKeys: ChannelKeyStore;
  readonly sightings: SightingStore;
  readonly users: Pick<UserStore, 'ofRole'>;
  readonly vault: Vault;
  readonly logs: Pick<LogStore, 'append'>;
  readonly routing: () => Routing;
  readonly refreshRouting: () => Promise<void>;
  readonly upstreams: Upstreams;
  readonly upstreamOf: (channelType: number) => { readonly balance?: BalanceReader } | undefined;
  readonly sender: Pick<Sender, 'send'>;
  readonly notify: NotifyUser;
  /** Makes calls of all relays and nodes avoid a channel for a while. */
  readonly restChannel: (channelId: number, forMs: number) => void;
  readonly checkUrl: CheckUrl;
  readonly clock: Clock;
  readonly log: Log;
}

/** Everything about channels except editing one: tests, balances, notices, disabling. */
export const createChannelCare = (deps: ChannelCareDeps) => {
  const notices = createChannelNotices(deps);
  const autoDisable = createAutoDisable({ ...deps, notices });
  const keyCare = createKeyCare({ ...deps, notices, autoDisable });
  const keyTests = createKeyTests({ ...deps, keyCare });
  const soldBelowCost = (id: number, model: string, group: string): void => {
    const name = deps.routing().channels.get(id)?.name ?? '';
    notices.tellLoss({ id, name }, model, group);
  };
  const balances = createBalances(deps);
  const seen = new Sightings(deps);
  return {
    /** What the relay reports about channels. */
    forRelay: { autoDisable, soldBelowCost, seen: seen.seen, ...keyCare.forRelay },
    keyCare,
    keyTests,
    channelKeys: createChannelKeys({ ...deps, keyCare }),
    poolKeys: createPoolKeys(deps),
    autoDisable,
    soldBelowCost,
    balances,
    rounds: createChannelRounds({ ...deps, notices, autoDisable, balances, keyTests, keyCare }),
    seen,
    channelBatch: createChannelBatch(deps),
  };
};
