import { role } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import type { SightingStore } from '#core/channel/health/sighting.ts';
import type { Clock } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import type { CountStore } from '#core/limits/count-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { ChannelRounds, RoundKind } from '../control/channels/checks/channel-rounds.ts';
import type { RoundState } from '../control/channels/checks/round.ts';
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
  readonly counts: Pick<CountStore, 'count' | 'forget'>;
  readonly options: () => OptionValues;
  readonly clock: Clock;
}

const KINDS = ['balance', 'test'] as const;

/** How often rounds are wanted; 0: not at all. */
const minutesOf = (options: OptionValues): Readonly<Record<RoundKind, number>> => ({
  test: options['monitor_setting.auto_test_channel_enabled']
    ? options['monitor_setting.auto_test_channel_minutes']
    : 0,
  balance: options['monitor_setting.auto_update_balance_minutes'],
});

/**
 * Whose turn the scheduled rounds are: of several nodes one begins, and the others leave its round alone until their interval has
 * passed since its end. The turn of a node that dies is over an interval after it was last seen.
 */
const createTurns = ({ rounds, counts, clock }: Pick<ChannelJobDeps, 'rounds' | 'counts' | 'clock'>) => {
  const noted: Partial<Record<RoundKind, RoundState>> = {};
  /** With another interval a new turn begins. */
  const nameOf = (kind: RoundKind, minutes: number): string => `round ${kind} ${String(minutes)}`;
  return {
    take: async (kind: RoundKind, minutes: number): Promise<boolean> =>
      (await counts.count(nameOf(kind, minutes), minutes * MINUTE_MS, clock.now())).count === 1,
    /** Keeps the turn while a round of this node runs, whoever began it, and for the interval after its end. */
    async keep(kind: RoundKind, minutes: number): Promise<void> {
      const state = rounds.state(kind);
      if (minutes === 0 || state === undefined || (!state.isRunning && state === noted[kind])) return;
      noted[kind] = state;
      const nowMs = clock.now();
      const untilMs = (state.isRunning ? nowMs : state.finishedAtMs) + minutes * MINUTE_MS;
      if (untilMs <= nowMs) return;
      await counts.forget(nameOf(kind, minutes));
      await counts.count(nameOf(kind, minutes), untilMs - nowMs, nowMs);
    },
  };
};

/** Regular work on channels: scheduled tests and balances, and writing the counts of callers. */
export const channelJobs = (deps: ChannelJobDeps): readonly Job[] => {
  const startedAtMs = deps.clock.now();
  const turns = createTurns(deps);
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
        const minutes = minutesOf(deps.options());
        for (const kind of KINDS) await turns.keep(kind, minutes[kind]);
        const isBegun = async (kind: RoundKind): Promise<boolean> =>
          isDue(kind, minutes[kind]) && (await turns.take(kind, minutes[kind]));
        try {
          if (await isBegun('balance')) deps.rounds.updateBalances();
          const [root] = (await isBegun('test')) ? await deps.users.ofRole(role.root) : [];
          if (root !== undefined) deps.rounds.testAll(root, { tell: false });
        } catch (thrown) {
          // A round was started by somebody else meanwhile.
          if (!(thrown instanceof AppError && thrown.code === 'refused')) throw thrown;
        }
      },
    },
  ];
};
