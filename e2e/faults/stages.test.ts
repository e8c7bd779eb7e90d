import { expect, test } from 'vitest';
import { readCallFacts } from '../../src/console/features/logs/call-facts.ts';
import { waterfallOf } from '../../src/console/features/logs/waterfall.ts';
import { FIRST, haste, hedged, streamed } from './late-streams.ts';
import { chat } from './rig.ts';
import { useGateway } from './use-gateway.ts';

/** The stages that a row tells and the console draws: together they are the time that its call took. */

const { start, scripted, good } = useGateway();

/** Each time is rounded by itself, so the sum may differ by some milliseconds. */
const ROUNDED_MS = 2;

type Gateway = Awaited<ReturnType<typeof start>>;

const ways: Readonly<Record<string, () => Promise<{ gateway: Gateway; call: () => Promise<Response> }>>> = {
  'a stream': async () => {
    const gateway = await start([good()]);
    return { gateway, call: () => streamed(gateway) };
  },
  'a whole reply': async () => {
    const gateway = await start([good()]);
    return { gateway, call: () => chat(gateway, {}) };
  },
  'a retry': async () => {
    const gateway = await start([scripted('status-500', FIRST), good()], { RetryTimes: 1 });
    return { gateway, call: () => streamed(gateway) };
  },
  'a late channel that was left': async () => {
    const gateway = await start([scripted('hang-before-headers', FIRST), good()], haste());
    return { gateway, call: () => streamed(gateway) };
  },
  'a race': async () => {
    const gateway = await start([scripted('hang-before-headers', FIRST), good()], hedged());
    return { gateway, call: () => streamed(gateway) };
  },
  'a failure of all channels': async () => {
    const gateway = await start([scripted('status-500', FIRST), scripted('status-500')], { RetryTimes: 3 });
    return { gateway, call: () => streamed(gateway) };
  },
  'a stream that broke off': async () => {
    const gateway = await start([scripted('reset-mid-stream')]);
    return { gateway, call: () => streamed(gateway) };
  },
};

test.each(Object.entries(ways))('%s', async (_, make) => {
  const { gateway, call } = await make();
  await (await call()).text().catch(() => undefined);
  await expect.poll(async () => (await gateway.logs()).length).toBe(1);
  const [row] = await gateway.logs();
  const totalMs = row?.use_time_ms ?? 0;
  const { route } = readCallFacts(row?.other ?? '');
  if (route === undefined) throw new Error('the row does not tell where the call went');
  const pieces = waterfallOf(route, totalMs).flatMap((line) => line.pieces);
  let shownUntilMs = 0;
  for (const { fromMs, toMs } of pieces.toSorted((one, other) => one.fromMs - other.fromMs)) {
    expect(fromMs - shownUntilMs).toBeLessThanOrEqual(ROUNDED_MS);
    shownUntilMs = Math.max(shownUntilMs, toMs);
  }
  expect(Math.abs(shownUntilMs - totalMs)).toBeLessThanOrEqual(ROUNDED_MS);
});
