import { lesser } from '#core/lesser.ts';
import { setImmediate } from 'node:timers/promises';
import { routingSteps } from '#core/channel/routing-steps.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { Clock } from '#core/clock.ts';
import type { DatedCatalogue } from '#core/quota/catalogue.ts';
import { Secret } from '#core/secrets/secret.ts';
import { proxyPasswordOpener } from './channel-proxy.ts';
import { KnownChannels } from './known-channels.ts';
import { openChannelKey } from './open-channel-key.ts';
import { createPoolReader, type PoolReaderDeps } from './keys/pool-reader.ts';
import { type KnownOptions, readOptions } from '../site/read-options.ts';

/** A rebuild that fails is tried again after this long: the change that asked for it is not announced a second time. */
const AGAIN_AFTER_MS = 2000;

export interface RoutingKeeperDeps extends PoolReaderDeps {
  readonly channels: Pick<ChannelStore, 'revisions' | 'byIds'>;
  readonly options: Pick<OptionStore, 'all' | 'priceVersion' | 'pricesUntilMs'>;
  readonly catalogue: DatedCatalogue;
  readonly clock: Pick<Clock, 'now'>;
}

/** Keeps the snapshot that calls are decided by. */
export interface RoutingKeeper {
  /** The current configuration. */
  readonly current: () => Routing;
  /** Rebuilds the snapshot. Resolves once a rebuild that began after this call is in place. */
  refresh(): Promise<void>;
}

/**
 * Keeps the snapshot of the configuration and replaces it as a whole. Only one rebuild runs at a time, however many are
 * requested.
 */
export const createRoutingKeeper = async (deps: RoutingKeeperDeps): Promise<RoutingKeeper> => {
  let version = 0;
  const { channels, vault, log, catalogue } = deps;
  const known = new KnownChannels({
    channels,
    readPools: createPoolReader(deps),
    openers: {
      openKey: (row) => new Secret(openChannelKey(vault, row)),
      openProxyPassword: proxyPasswordOpener(vault),
    },
  });
  const knownOptions: KnownOptions = new Map();
  const report = (key: string, issue: string): void => log.warn('a stored option is invalid', { key, issue });
  const read = async (before?: Routing): Promise<Routing> => {
    const { all, stored, pricesUntilMs, priceVersion } = await readTogether(deps, known);
    version += 1;
    const nowMs = deps.clock.now();
    const prices = {
      priceVersion,
      pricesUntilMs: lesser(pricesUntilMs, catalogue.changesAfter(nowMs)),
      catalogue: catalogue.at(nowMs),
    };
    const options = readOptions(stored, report, vault.decrypt, knownOptions);
    const steps = routingSteps({ version, ...prices, options, read: all }, before);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await setImmediate();
    }
  };

  const tellBad = ({ bad }: Routing): void => {
    for (const { id, reason } of bad) log.warn('a channel is not served', { channel: id, reason });
  };

  let routing = await read();
  tellBad(routing);
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  let again: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    clearTimeout(again);
    try {
      routing = await read(routing);
      tellBad(routing);
    } catch (thrown) {
      again = setTimeout(tryAgain, AGAIN_AFTER_MS).unref();
      throw thrown;
    } finally {
      running = undefined;
    }
  };

  const refresh = (): Promise<void> => {
    if (running === undefined) return (running = run());
    // The running rebuild may have read before the caller's change, so one more follows, shared by all who wait.
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = undefined;
        return (running ??= run());
      });
    return waiting;
  };
  const tryAgain = (): void => void refresh().catch((error: unknown) => log.error('routing', { error }));

  return { current: () => routing, refresh };
};

/**
 * A snapshot's version must match the prices read with it, and its channels the groups that have a ratio. If prices
 * change while being read, as they do when a group is renamed, all is read again, at most this often.
 */
const READ_TIMES = 5;

const readTogether = async (
  { options }: Pick<RoutingKeeperDeps, 'options'>,
  channels: Pick<KnownChannels, 'read'>,
) => {
  for (let time = 1; ; time += 1) {
    const before = await options.priceVersion();
    const [all, stored, pricesUntilMs] = await Promise.all([
      channels.read(),
      options.all(),
      options.pricesUntilMs(),
    ]);
    const priceVersion = await options.priceVersion();
    if (before === priceVersion || time === READ_TIMES) return { all, stored, pricesUntilMs, priceVersion };
  }
};
