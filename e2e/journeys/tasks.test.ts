import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { moveTo, settled } from '../support/console-moves.ts';
import { accessibilityProblems, type ConsoleVisit } from '../support/console-visit.ts';
import { makeToken, type Operator, setOption } from '../support/operator.ts';
import { scrolledSideways, textsBeyondLine, widerThanPlace } from '../support/sideways.ts';

/** Drawings, music, tags and client programs seen, in a real browser: two languages, two sizes, two themes. */

let simulator: RunningSimulator;
let site: ConsoleSite;
let root: Operator;
let key: string;

const post = async (path: string, body: object): Promise<void> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const answer = await fetch(`${site.url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  await answer.text();
};
/** The id of the fake upstream's first drawing. */
const upstreamId = (count: number): string => `17${String(count).padStart(6, '0')}`;

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole({ language: 'zh' });
  root = site.operator;
  await setOption(root, 'QuotaForNewUser', 1_000_000);
  key = (await makeToken(root)).key;
  const make = (name: string, type: number, models: string, tag: string | null) =>
    root.call('/api/channel', {
      method: 'POST',
      body: { type, name, key: 'sk-simulated', base_url: simulator.url, models, tag },
    });
  await make('draws', 2, 'mj_imagine,mj_upscale', null);
  await make('plays', 36, 'suno_music,suno_lyrics', null);
  await make('chat one', 1, 'gpt-4o-mini', 'blue');
  await make('chat two', 1, 'gpt-4o-mini', 'blue');
  await setOption(root, 'ModelPrice', {
    mj_imagine: 0,
    mj_upscale: 0,
    suno_music: 0,
    suno_lyrics: 0,
    'gpt-4o-mini': 0,
  });
  await post('/mj/submit/imagine', { prompt: 'a lighthouse above a quiet sea' });
  await post('/mj/submit/imagine', { prompt: 'fail this one' });
  await post('/mj/submit/imagine', { prompt: 'stuck for now' });
  for (const id of [1, 1, 2, 2, 3].map(upstreamId)) await post('/mj/notify', { id });
  await post('/suno/submit/music', { gpt_description_prompt: 'a waltz' });
  await post('/v1/chat/completions', { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] });
});

afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const looks = [
  { language: 'zh', theme: 'light', isPhone: false },
  { language: 'zh', theme: 'dark', isPhone: true },
  { language: 'en', theme: 'dark', isPhone: false },
  { language: 'en', theme: 'light', isPhone: true },
] as const;

const picture = process.env['TOLLGATE_PICTURES'];

describe.each(looks)('in $language, $theme, phone: $isPhone', (look) => {
  let visit: ConsoleVisit;
  beforeAll(async () => {
    visit = await site.open(look);
  });
  afterAll(() => visit.close());

  const isChinese = look.language === 'zh';
  /** The problems of the current page. */
  const wrongWith = async (name: string): Promise<readonly string[]> => {
    const { page } = visit;
    await settled(page);
    await page.mouse.move(0, 0);
    await page.locator('#tip:popover-open').waitFor({ state: 'hidden' });
    if (picture !== undefined)
      await page.screenshot({
        path: `${picture}/${name}-${look.language}-${look.theme}-${look.isPhone ? 390 : 1440}.png`,
      });
    const before = page.viewportSize();
    const wide = [...(await widerThanPlace(page))];
    if (!look.isPhone && before !== null) {
      // A laptop at 200 % zoom.
      await page.setViewportSize({ width: before.width / 2, height: before.height / 2 });
      wide.push(...(await widerThanPlace(page)));
      await page.setViewportSize(before);
    }
    return [
      ...(await accessibilityProblems(page)),
      ...visit.problems,
      ...wide,
      ...(look.isPhone ? [] : await scrolledSideways(page)),
    ];
  };

  test('drawings: states, colours, the picture, the banner', async () => {
    const { page } = visit;
    await moveTo(page, '/midjourney');
    await page.getByText(isChinese ? '当前未开启Midjourney回调' : 'Midjourney callbacks are off').waitFor();
    await page
      .getByText(isChinese ? '成功' : 'Success', { exact: true })
      .first()
      .waitFor();
    await page
      .getByText(isChinese ? '失败' : 'Failed', { exact: true })
      .first()
      .waitFor();
    expect(await wrongWith('midjourney')).toEqual([]);
    await page.locator('.drawing-thumb').first().click();
    await page.locator('.drawing-picture').waitFor();
    expect(await wrongWith('picture')).toEqual([]);
  });

  test('music tasks of today, with a long reason for a failure', async () => {
    const { page } = visit;
    const reason = 'the upstream gave up after five minutes in which nothing of the song had come';
    await page.route(/\/api\/task/, async (route) => {
      const answer = await route.fetch();
      const text = (await answer.text()).replace('"fail_reason":""', `"fail_reason":"${reason}"`);
      await route.fulfill({ response: answer, body: text });
    });
    await moveTo(page, '/task');
    await page.getByText(reason).first().waitFor();
    expect([...(await wrongWith('task')), ...(await textsBeyondLine(page))]).toEqual([]);
  });

  test('channels by tag, and who has been seen', async () => {
    const { page } = visit;
    await moveTo(page, '/channel');
    await page.getByRole('button', { name: isChinese ? '标签聚合模式' : 'Group by tag' }).click();
    await page.getByText('blue', { exact: true }).first().waitFor();
    expect(await wrongWith('tags')).toEqual([]);
    await page.getByRole('button', { name: isChinese ? '标签聚合模式' : 'Group by tag' }).click();
    const item = isChinese ? '上游检测' : 'Callers';
    await page.locator('[data-row]').filter({ hasText: 'draws' }).locator('[aria-haspopup=menu]').click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog').getByText('default').first().waitFor();
    expect(await wrongWith('seen')).toEqual([]);
  });
});

test('there is no banner while callbacks are on', async () => {
  await setOption(root, 'MjNotifyEnabled', true);
  const { visit } = site;
  await visit.page.goto('/midjourney');
  await visit.page.locator('.drawing-thumb').first().waitFor();
  expect(await visit.page.evaluate(() => localStorage.getItem('mj_notify_enabled'))).toBe('true');
  expect(await visit.page.getByText('当前未开启Midjourney回调').count()).toBe(0);
});

test('the times of a list go back to what it shows by itself, and reach as far as there is anything', async () => {
  const { page } = site.visit;
  await page.goto('/task');
  const times = page.locator('.filter-time > button');
  const choose = async (preset: string): Promise<void> => {
    await times.click();
    await page.locator('.popover:popover-open').getByRole('button', { name: preset, exact: true }).click();
    await expect.poll(() => times.innerText()).toBe(preset);
  };
  await page.getByText('Suno', { exact: true }).first().waitFor();
  await choose('不限');
  await page.getByText('Suno', { exact: true }).first().waitFor();
  await choose('今天');
  expect(new URL(page.url()).search).toBe('');
});

test('all channels are tested in the background, and a toast reports the end', async () => {
  const { visit } = site;
  const { page } = visit;
  await page.goto('/channel');
  await page.getByRole('button', { name: '更多操作', exact: true }).click();
  await page.getByRole('menuitem', { name: '测试所有渠道' }).click();
  await page.getByRole('button', { name: '全部测试' }).click();
  const told = page.getByText(/已开始测试所有渠道|渠道测试完成：共 2 个/);
  await expect.poll(() => told.count()).toBeGreaterThan(0);
});
