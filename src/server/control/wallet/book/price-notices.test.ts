import { expect, it } from 'vitest';
import { SAVED_SETTINGS, SET_IN_LIST } from '#contract/price-book.ts';
import { sayPhrase } from '#contract/messages.ts';
import { standIn } from '#core/testing/stand-in.ts';
import type { User } from '#core/user/user.ts';
import { tellPriceNews } from './price-notices.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
type Deps = Parameters<typeof tellPriceNews>[0];
const named = (id: number) => ({ id, username: `admin${String(id)}` }) as User;

/** Tells that a change waits for an approval; the user with the id 2 has a webhook that never answers. */
const ask = async (reason: string): Promise<readonly string[]> => {
  const told: string[] = [];
  const deps = standIn<Deps>({
    log: standIn({}),
    users: standIn<Deps['users']>({ ofRole: async () => [1, 2, 3, 4].map(named) }),
    notify: async ({ id, username }, { text }) => {
      if (id === 2) return new Promise(() => {});
      for (const language of ['en', 'zh'] as const) told.push(`${username}: ${sayPhrase(text, language)}`);
    },
  });
  tellPriceNews(deps, 'asked', { author: 'ann', reason, writers: [{ id: 1, name: 'ann' }] });
  await turn();
  return told;
};

it('who does not answer a notice keeps no other admin waiting for theirs', async () => {
  const told = await ask('dearer');
  expect(told.map((one) => one.slice(0, 6))).toEqual(['admin3', 'admin3', 'admin4', 'admin4']);
  expect(told[0]).toBe(
    'admin3: ann asks for the approval of a change of prices: dearer. It is in the price book.',
  );
});

it('a reason that nobody gave is said in the language of the notice', async () => {
  const [inEnglish, inChinese] = await ask(SAVED_SETTINGS);
  expect(inEnglish).toContain('change of prices: saved in the settings. It');
  expect(inChinese).toContain('：在设置中保存。');
  expect((await ask(SET_IN_LIST))[1]).toContain('：在价格列表中修改。');
});
