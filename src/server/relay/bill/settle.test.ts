import { beforeEach, expect, it, vi } from 'vitest';
import { logType } from '#contract/codes.ts';
import type { AvailabilityRow } from '#core/availability/availability.ts';
import { noUsage } from '#core/chat/usage.ts';
import { AppError } from '#core/error.ts';
import type { CloseOutcome } from '#core/ledger/ledger.ts';
import type { CallLog } from '#core/log/log.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import type { Held } from '../stages.ts';
import { heldCall } from '../testing/answered-call.ts';
import { AvailabilityBook } from './evidence/availability-book.ts';
import { EvidenceBook } from './evidence/evidence-book.ts';
import { MoneyQueue } from './hold/money-queue.ts';
import { settle } from './settle.ts';

interface Closed {
  readonly units: number;
  readonly type: number | undefined;
}

let closed: Closed[] = [];
let told: string[] = [];
let counted: AvailabilityRow[] = [];
let outcome: CloseOutcome;
let money: MoneyQueue;

const log = { info: () => {}, warn: (message: string) => void told.push(message), error: () => {} };
const close = async (units: number, row: CallLog | undefined): Promise<CloseOutcome> => {
  closed.push({ units, type: row?.type });
  return outcome;
};
const metrics = {
  settled: vi.fn<() => void>(),
  charged: vi.fn<() => void>(),
  holdClosed: vi.fn<() => void>(),
};

/** Settles a call, and writes down what was counted of it. */
const settled = async (held: Held): Promise<void> => {
  const availability = new AvailabilityBook({ add: async (rows) => void counted.push(...rows) }, log);
  await settle(
    {
      ledger: {
        settle: ({ quotaUnits, log: row }) => close(quotaUnits, row),
        void: (_id, _nowMs, row) => close(0, row),
      },
      clock: { now: () => 5000, monotonic: () => 5 },
      metrics,
      log,
      modelRates: {
        begin: () => ({ state: 'allowed', limit: 0, remaining: 0, resetMs: 0 }),
        giveBack: () => {},
        succeeded: () => {},
      },
      houseCosts: { add: async () => {} },
      money,
      evidence: new EvidenceBook({ add: async () => {} }, log),
      availability,
    },
    held,
  );
  await availability.flush();
};

const answered = (held = heldCall(openaiChat)): Held => {
  held.live.meter.reported = { ...noUsage, inputTokens: 10, outputTokens: 20 };
  held.live.meter.produced = true;
  held.live.meter.finished = true;
  return held;
};
const failed = (held = heldCall(openaiChat)): Held => {
  held.live.failure = new AppError('upstream_failed', 'it broke');
  return held;
};
const inOperation = (held: Held, operation: Held['call']['operation']): Held => ({
  ...held,
  call: { ...held.call, operation },
});

beforeEach(() => {
  [closed, told, counted] = [[], [], []];
  outcome = { state: 'closed', chargedUnits: 7, houseLossUnits: 2, userQuotaUnits: 1, userHeldUnits: 0 };
  money = new MoneyQueue({ monotonic: () => 5 });
  vi.clearAllMocks();
});

it('an answer is charged once, with its row, and told as charged', async () => {
  const held = answered();
  await settled(held);
  await settled(held);
  expect(closed).toEqual([{ units: expect.any(Number), type: logType.consume }]);
  expect(closed[0]?.units).toBeGreaterThan(0);
  expect(metrics.charged.mock.calls).toEqual([[7, 2]]);
  expect(metrics.holdClosed).toHaveBeenCalledTimes(1);
  expect(told).toEqual([]);
});

it('a hold that was closed elsewhere is not charged again, and the log says so', async () => {
  outcome = { state: 'already_closed', wasCharged: true };
  await settled(answered());
  expect(told).toEqual(['a call ended, but others had already closed it']);
  expect(metrics.charged).not.toHaveBeenCalled();
});

it('availability counts what users call, not what an admin sends to one channel, nor a part of another call', async () => {
  await settled(answered());
  expect(counted.map(({ measure, calls }) => [measure, calls])).toEqual(
    expect.arrayContaining([['answered', 1]]),
  );
  counted = [];
  const call = answered();
  await settled({ ...call, caller: { ...call.caller, channelId: 3 } });
  await settled({ ...answered(), isSideCall: true });
  expect(counted).toEqual([]);
});

it.each<[string, Held]>([
  ['a turn of a conversation that never began', inOperation(heldCall(openaiChat), 'realtime')],
  ['a part of another call that nothing came of', { ...heldCall(openaiChat), isSideCall: true }],
])('%s leaves no row and is counted nowhere', async (_, held) => {
  await settled(held);
  expect(closed).toEqual([{ units: 0, type: undefined }]);
  expect(metrics.settled).not.toHaveBeenCalled();
  expect(counted).toEqual([]);
});

it.each<[string, Held]>([
  ['a chat that nothing came of', heldCall(openaiChat)],
  ['a chat that failed', failed()],
  ['a turn that failed', inOperation(failed(), 'realtime')],
  ['a part of another call that failed', { ...failed(), isSideCall: true }],
])('%s has a row that says so, and costs nothing', async (_, held) => {
  await settled(held);
  expect(closed).toEqual([{ units: 0, type: logType.error }]);
  expect(metrics.settled).toHaveBeenCalledTimes(1);
});

it('an answer’s usual length is that of one of its choices, and one that came to nothing has none', async () => {
  const held = answered();
  const { facts } = held.request;
  const usual = () => money.usual.longest(held.caller.user.id, facts.model);
  await settled(failed());
  expect(usual()).toBeUndefined();
  await settled({ ...held, request: { ...held.request, facts: { ...facts, choices: 4 } } });
  expect(usual()).toBe(5);
});

it('until the ledger has said what it could take, the hold counts as charged and the rest as lost', async () => {
  const held = answered();
  outcome = { state: 'already_closed', wasCharged: true };
  await settled({ ...held, heldUnits: 1 });
  const units = closed[0]?.units ?? 0;
  expect([units > 1, held.live.chargedUnits, held.live.lostUnits]).toEqual([true, 1, units - 1]);
});
