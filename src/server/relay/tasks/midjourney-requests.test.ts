import { expect, it } from 'vitest';
import type { OptionValues } from '#contract/options.ts';
import type { Task } from '#core/task/task.ts';
import { readMidjourney } from './midjourney-requests.ts';

const done = { platform: 'mj', publicId: 'mine', upstreamId: '17', status: 'SUCCESS' } as Task;
const tasks = { ofUser: async (_user: number, ids: readonly string[]) => (ids[0] === 'mine' ? [done] : []) };
const off = {
  MjNotifyEnabled: false,
  MjAccountFilterEnabled: false,
  MjModeClearEnabled: false,
  MjActionCheckSuccessEnabled: true,
} as OptionValues;
const read = (options: Partial<OptionValues>, mode: string, body: object) =>
  readMidjourney(
    { tasks },
    { ...off, ...options },
    { what: 'imagine', mode, userId: 1 },
    body as Record<string, unknown>,
  );
const body = {
  prompt: 'fox --fast',
  notifyHook: 'https://hooks.example.com/mj',
  accountFilter: { remark: 'pro' },
};

it('the hook is never sent upstream, and is stored only while callbacks are enabled', async () => {
  const plain = await read({}, '', body);
  expect([plain.body, plain.notifyHook]).toEqual([{ prompt: 'fox --fast' }, '']);
  const heard = await read({ MjNotifyEnabled: true }, '', body);
  expect([heard.body, heard.notifyHook]).toEqual([{ prompt: 'fox --fast' }, body.notifyHook]);
});

it('a prompt that Midjourney makes several jobs of is refused unless work without a price is allowed', async () => {
  for (const prompt of ['fox --repeat 4', 'fox --R 10', 'fox —r=2', 'a {red, green} fox', '{{a,b}, c}']) {
    await expect(read({}, '', { prompt })).rejects.toMatchObject({ reason: 'unpriced_work' });
    const allowed = await read({ 'global.unpriced_work_enabled': true }, '', { prompt });
    expect(allowed.body).toEqual({ prompt });
  }
  for (const prompt of [
    'fox --raw --ar 3:2',
    'fox --r',
    'a {red} fox, a {green} one',
    'r 4',
    `{${','.repeat(99_999)}`,
  ])
    expect((await read({}, '', { prompt })).body).toEqual({ prompt });
});

it("the account filter, with the path's speed in it, is sent upstream only if that is enabled", async () => {
  expect((await read({}, 'fast', body)).body).not.toHaveProperty('accountFilter');
  const filtered = await read({ MjAccountFilterEnabled: true }, 'relax', body);
  expect(filtered.body['accountFilter']).toEqual({ remark: 'pro', modes: ['RELAX'] });
  const none = await read({ MjAccountFilterEnabled: true }, '', { prompt: 'fox' });
  expect(none.body).toEqual({ prompt: 'fox' });
});

it("a task that continues another is sent with the upstream's id", async () => {
  const change = { taskId: 'mine', action: 'UPSCALE', index: 2 };
  const asked = await readMidjourney({ tasks }, off, { what: 'change', mode: '', userId: 1 }, change);
  expect(asked).toMatchObject({ action: 'UPSCALE', body: { taskId: '17', index: 2 }, origin: done });
  const simple = await readMidjourney(
    { tasks },
    off,
    { what: 'simple-change', mode: '', userId: 1 },
    { content: 'mine V3' },
  );
  expect(simple.body).toEqual({ content: '17 V3' });
  await expect(
    readMidjourney({ tasks }, off, { what: 'change', mode: '', userId: 1 }, { ...change, taskId: 'other' }),
  ).rejects.toThrow('task not found');
});

it('a button that is not known is refused', async () => {
  const pressed = (customId: string) =>
    readMidjourney({ tasks }, off, { what: 'action', mode: '', userId: 1 }, { taskId: 'mine', customId });
  expect(await pressed('MJ::JOB::upsample::2::abc')).toMatchObject({ action: 'UPSCALE', origin: done });
  await expect(pressed('MJ::JOB::explode::2::abc')).rejects.toThrow('customId is not a known button');
});
