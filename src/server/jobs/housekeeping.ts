import { type AvailabilityStore } from '#core/availability/availability.ts';
import type { Clock } from '#core/clock.ts';
import type { AllowanceStore } from '#core/cost/allowance-store.ts';
import type { CountStore } from '#core/limits/count-store.ts';
import { steadyTime, timeToForget } from '#core/time/steady-time.ts';
import type { KeptResponseStore } from '#core/kept/kept-response.ts';
import { type AbandonedDeps, closeAbandoned } from '#core/ledger/close-abandoned.ts';
import type { Log } from '#core/logging.ts';
import type { SessionStore } from '#core/session/session-store.ts';
import type { TicketStore } from '#core/ticket-store.ts';
import type { HourTotalsStore } from '#core/usage/usage-store.ts';
import type { Job } from './every.ts';
import { DAY_MS, DAY_S, HOUR_S } from '#core/time/spans.ts';

const SWEEP_EVERY_MS = 60_000;
const WARNINGS_EVERY_MS = 1000;
const SESSIONS_EVERY_MS = 3_600_000;
/**
 * How many hours are summed per run: for a site that is older than this feature, ten days, which takes some seconds in
 * small parts.
 */
const HOURS_AT_ONCE = 240;
const KEPT_HOURS = 48;
const KEPT_DAYS = 92;
/** A call may end long after it began: a response in the background, or a task, after days. */
const ALLOWANCE_DAYS = 40;

interface HousekeepingDeps extends AbandonedDeps {
  readonly sessions: Pick<SessionStore, 'deleteExpired'>;
  readonly tickets: Pick<TicketStore, 'deleteExpired'>;
  readonly counts: Pick<CountStore, 'deleteEnded'>;
  readonly keptResponses: Pick<KeptResponseStore, 'deleteExpired'>;
  readonly allowances: Pick<AllowanceStore, 'deleteBefore'>;
  readonly availability: Pick<AvailabilityStore, 'deleteBefore'>;
  readonly hourTotals: HourTotalsStore;
  /** Balances that still have to be checked. */
  readonly quotaWarnings: { lookAtWaiting(): Promise<void> };
  readonly registration: { creditOwed(): Promise<void> };
  readonly clock: Clock;
  readonly log: Log;
}

/** Ends expired holds and sessions. */
export const housekeeping = (deps: HousekeepingDeps): readonly Job[] => {
  const { ledger, houseCosts, hourTotals, quotaWarnings, registration, clock, log } = deps;
  const steadyMs = steadyTime(clock);
  return [
    {
      name: 'close abandoned holds',
      everyMs: SWEEP_EVERY_MS,
      async run() {
        // Calls still running on any node are younger than the limit.
        const before = { createdBeforeMs: 0, expiredAtMs: steadyMs() };
        const closed = await closeAbandoned({ ledger, houseCosts }, before, clock.now());
        if (closed > 0) log.warn('closed abandoned holds', { holds: closed });
      },
    },
    {
      name: 'add up hours that are over',
      everyMs: SWEEP_EVERY_MS,
      async run() {
        await hourTotals.addUpHours(clock.now(), HOURS_AT_ONCE);
      },
    },
    {
      name: 'credit gifts that are owed',
      everyMs: SWEEP_EVERY_MS,
      run: () => registration.creditOwed(),
    },
    {
      name: 'warn of low balances',
      everyMs: WARNINGS_EVERY_MS,
      run: () => quotaWarnings.lookAtWaiting(),
    },
    ...forgetting(deps),
  ];
};

/** Deletes what is over. */
const forgetting = ({
  sessions,
  tickets,
  counts,
  keptResponses,
  allowances,
  availability,
  clock,
}: HousekeepingDeps): readonly Job[] => {
  const now = timeToForget(clock);
  return [
    {
      name: 'delete expired sessions',
      everyMs: SESSIONS_EVERY_MS,
      run: () => sessions.deleteExpired(now()),
    },
    {
      name: 'delete expired tickets',
      everyMs: SESSIONS_EVERY_MS,
      run: () => tickets.deleteExpired(now()),
    },
    {
      name: 'delete counts that ended',
      everyMs: SESSIONS_EVERY_MS,
      run: () => counts.deleteEnded(now()),
    },
    {
      name: 'forget where expired responses were',
      everyMs: SESSIONS_EVERY_MS,
      run: () => keptResponses.deleteExpired(now()),
    },
    {
      name: 'forget what was free on days that are over',
      everyMs: SESSIONS_EVERY_MS,
      run: () => allowances.deleteBefore(Math.floor(now() / DAY_MS) - ALLOWANCE_DAYS),
    },
    {
      name: 'forget how available models were',
      everyMs: SESSIONS_EVERY_MS,
      async run() {
        const nowS = Math.floor(now() / 1000);
        await availability.deleteBefore(HOUR_S, nowS - KEPT_HOURS * HOUR_S);
        await availability.deleteBefore(DAY_S, nowS - KEPT_DAYS * DAY_S);
      },
    },
  ];
};
