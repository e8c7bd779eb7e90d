import { describe, expect, test } from 'vitest';
import { chat } from './rig.ts';
import { useGateway } from './use-gateway.ts';

const { start, scripted, good } = useGateway();

describe('while the upstream thinks', () => {
  test('comments keep the stream open, and a failure after them is told as an event', async () => {
    const pings = {
      'general_setting.ping_interval_enabled': true,
      'general_setting.ping_interval_seconds': 1,
    };
    const gateway = await start([scripted('silent-2500')], pings);
    const text = await (await chat(gateway, { stream: true })).text();
    expect(text).toMatch(/^: ping\n\n/);
    expect(text).toContain('data: [DONE]');
    await gateway.stop();
    const failing = await start(
      [scripted('hang-before-headers', { setting: '{"first_byte_timeout_ms":2500}' })],
      pings,
    );
    const response = await chat(failing, { stream: true });
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/: ping\n\n.*"error".*data: \[DONE\]\n\n$/s);
  });
});

test('comments keep a stream open that pauses in its middle, too', async () => {
  const gateway = await start([scripted('hang-mid-stream', { setting: '{"idle_timeout_ms":2500}' })], {
    'general_setting.ping_interval_enabled': true,
    'general_setting.ping_interval_seconds': 1,
  });
  const text = await (await chat(gateway, { stream: true })).text();
  expect(text).toMatch(/^data: .*\n\n: ping\n\n.*"error".*data: \[DONE\]\n\n$/s);
});

describe('a stop', () => {
  test('refuses new calls, lets running ones finish, then cuts what is left with an error and settles it', async () => {
    const gateway = await start(
      [
        good({ models: 'm', modelMapping: '{"m":"fault-slow-bytes-1"}' }),
        scripted('endless-stream', { groups: 'vip' }),
      ],
      {
        GroupRatio: { default: 1, vip: 1 },
      },
    );
    const running = await chat(gateway, { stream: true });
    const text = running.text();
    await gateway.stopTaking(10_000);
    expect(await text).toContain('[DONE]');
    expect(await gateway.openHolds()).toBe(0);
  });

  test('cuts a stream that does not end in time with a well-formed error', async () => {
    const gateway = await start([scripted('slow-bytes-4')]);
    const response = await chat(gateway, { stream: true });
    const text = response.text();
    await gateway.stopTaking(300);
    expect(await text).toMatch(/restarting.*\n\ndata: \[DONE\]\n\n$/);
    expect(await gateway.openHolds()).toBe(0);
    expect((await gateway.balance()).used).toBeGreaterThan(0);
  });
});
