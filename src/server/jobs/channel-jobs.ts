import { role } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import type { SightingStore } from '#core/channel/health/sighting.ts';
import type { Clock } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { ChannelRounds, RoundKind } from '../control/channels/checks/channel-rounds.ts';
import type { Sightings } from '../control/channels/sightings.ts';
import type { Job } from './every.ts';
import { MINUTE_MS } from '#core/time/spans.ts';

const FLUSH_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 30_000;
const ORPHANS_EVERY_MS = 3_600_000;

interface ChannelJobDeps {
  readonly seen: Pick<Sightings, 'flush'>;
  readonly sightings: Pick<SightingStore, 'deleteOrphans'>;
  readonly rounds: Pick<ChannelRounds, 'state' | 'testAll' | 'updateBalances'>;
  readonly users: Pick<UserStore, 'ofRole'>;
  readonly options: () => OptionValues;
  readonly clock: Clock;
}

/** Regular work on channels: scheduled tests and balances, and writing the counts of callers. */
export const channelJobs = (deps: ChannelJobDeps): readonly Job[] => {
  const startedAtMs = deps.clock.now();
  /** The interval starts at the end of the last run, whoever started it, and is over if the clock was set back since. */
  const isDue = (kind: RoundKind, minutes: number): boolean => {
    const last = deps.rounds.state(kind);
    if (minutes === 0 || last?.isRunning === true) return false;
    const passedMs = deps.clock.now() - (last?.finishedAtMs ?? startedAtMs);
    return passedMs >= minutes * MINUTE_MS || passedMs < 0;
  };
  return [
    { name: 'write down sightings', everyMs: FLUSH_EVERY_MS, run: deps.seen.flush },
    { name: 'forget sightings', everyMs: ORPHANS_EVERY_MS, run: () => deps.sightings.deleteOrphans() },
    {
      name: 'test channels and ask for balances',
      everyMs: LOOK_EVERY_MS,
      async run() {
        const options = deps.options();
        const testMinutes = options['monitor_setting.auto_test_channel_enabled']
          ? options['monitor_setting.auto_test_channel_minutes']
          : 0;
        try {
          if (isDue('balance', options['monitor_setting.auto_update_balance_minutes']))
            deps.rounds.updateBalances();
          const [root] = isDue('test', testMinutes) ? await deps.users.ofRole(role.root) : [];
          if (root !== undefined) deps.rounds.testAll(root, { tell: false });
        } catch (thrown) {
          // A round was started by somebody else meanwhile.
          if (!(thrown instanceof AppError && thrown.code === 'refused')) throw thrown;
        }
      },
    },
  ];
};
