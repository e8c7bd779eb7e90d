import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { answeredByPage, answerUnread, AppError } from '#core/error.ts';
import { silentChannels } from '../testing/silent-channels.ts';

/** How many channels a call leaves that did not take it. */

let call: ReturnType<typeof silentChannels>;
beforeEach(() => {
  vi.useFakeTimers();
  call = silentChannels();
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const at = (index: number) => call.at(index);

const answered =
  (status: number, code: 'upstream_failed' | 'rate_limited' | 'unavailable' = 'upstream_failed') =>
  () =>
    new AppError(code, 'no', { upstream: { status, message: 'no' } });
const fails = {
  late: () => new AppError('upstream_timeout', 'no head'),
  'unreachable at once': () => new AppError('upstream_failed', 'no connection'),
  'a 504': answered(504),
  'a 524': answered(524),
  'a gateway with nobody behind it': answered(502),
  'a key that is not accepted': answered(401),
  'a key without money': answered(402),
  'a key that may not do it': answered(403),
  'a limit': answered(429, 'rate_limited'),
  'an overload': answered(529, 'unavailable'),
  'an overload told in a stream': answered(0, 'unavailable'),
  'a web page': () => answeredByPage(),
  'nothing readable': () => answerUnread('no'),
};

/** The attempts of a call that fails like that everywhere: after a wait it leaves two channels, after refusals ten. */
const attemptsAfter = ({ code, upstream }: AppError): number => {
  const status = upstream?.status;
  if (status === 401 || status === 402) return 12;
  return code === 'upstream_timeout' || status === 504 || status === 524 ? 3 : 11;
};

for (const [name, failure] of Object.entries(fails))
  test(`channels that did not accept the call are passed over even without retries: ${name}`, async () => {
    const { ended } = call.begin(12, { haste: undefined });
    for (let index = 0; index < attemptsAfter(failure()); index += 1) {
      await pass(1);
      at(index).fail(failure());
    }
    expect(await ended).toBe(failure().code);
    expect(call.asked.length).toBe(attemptsAfter(failure()));
  });

test('a connection that is lost after two seconds was waited for', async () => {
  const { ended } = call.begin(12, { haste: undefined });
  for (let index = 0; index < 3; index += 1) {
    await pass(2000);
    at(index).fail(fails['unreachable at once']());
  }
  expect(await ended).toBe('upstream_failed');
  expect(call.asked.length).toBe(3);
});

test('an error uses up a retry; a silence does so only after those allowed for silence', async () => {
  const { ended } = call.begin(9, { haste: undefined, retries: 1 });
  for (const failure of [fails.late, answered(500), fails.late, fails.late]) {
    await pass(1);
    at(call.asked.length - 1).fail(failure());
  }
  expect(await ended).toBe('upstream_timeout');
  expect(call.asked.length).toBe(4);
});

test.each([
  [fails.late, 1],
  [fails['a gateway with nobody behind it'], 1],
  [
    () => new AppError('upstream_failed', 'no', { upstream: { status: 500, message: 'no', isPage: true } }),
    1,
  ],
  [
    () => new AppError('upstream_failed', 'no', { upstream: { status: 403, message: 'no', isPage: true } }),
    5,
  ],
  [fails['an overload'], 5],
  [fails['a limit'], 5],
])(
  'a call that must not be done twice is asked for again only if it was refused: %o',
  async (failure, asked) => {
    const { ended } = call.begin(5, { haste: undefined, canRepeat: false });
    for (let index = 0; index < asked; index += 1) {
      await pass(1);
      at(index).fail(failure());
    }
    expect(await ended).toBe(failure().code);
    expect(call.asked.length).toBe(asked);
  },
);

test('where an operator wants a single attempt there is one', async () => {
  const options = { ...initialOptions, 'upstream_setting.silent_retries': 0 };
  const { ended } = call.begin(3, { haste: undefined, options });
  await pass(1);
  at(0).fail(fails.late());
  expect(await ended).toBe('upstream_timeout');
  expect(call.asked.length).toBe(1);
});
