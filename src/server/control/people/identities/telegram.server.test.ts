import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../http/testing/caller.ts';
import { openScene, type Scene } from '../../../http/testing/scene.ts';
import type { Stage } from '../../../http/testing/stage.ts';

/** Sign-in by Telegram's widget, and attempts to forge it. */

const BOT = '123:bot-token';
let scene: Scene;
const stage = (): Stage => scene.stage;
let people = 0;

beforeAll(async () => {
  scene = await openScene();
  await scene.set('TelegramBotToken', BOT);
  await scene.set('TelegramBotName', 'gate_bot');
  await scene.set('TelegramOAuthEnabled', true);
});
afterAll(() => scene.close());

describe('Telegram', () => {
  const signed = (fields: Record<string, string>): string => {
    const text = Object.entries(fields)
      .map(([name, value]) => `${name}=${value}`)
      .toSorted()
      .join('\n');
    const key = createHash('sha256').update(BOT).digest();
    const hash = createHmac('sha256', key).update(text).digest('hex');
    return new URLSearchParams({ ...fields, hash }).toString();
  };
  const now = () => Math.floor(Date.now() / 1000);
  const ask = (call: Caller, query: string, what = 'login') => call(`/api/oauth/telegram/${what}?${query}`);

  it('binds, signs in, and takes no answer twice, an old one, or a changed one', async () => {
    const ada = await stage().person('ada-telegram');
    const call = stage().caller(await stage().session(ada));
    // Told once: a second later the answer of a second before would be one that was given already.
    const atS = now();
    const fields = { id: '42', first_name: 'Ada', auth_date: String(atS) };
    expect((await ask(stage().caller(), signed(fields))).message).toContain('is not linked to any user');
    const bindIt = signed({ ...fields, username: 'ada' });
    expect((await ask(call, bindIt, 'bind')).success).toBe(true);
    expect((await ask(call, bindIt, 'bind')).success).toBe(false);
    const anonymous = stage().caller();
    const entered = await ask(anonymous, signed({ ...fields, auth_date: String(atS - 1) }));
    expect(entered.data).toMatchObject({ id: ada.id });
    const old = signed({ ...fields, auth_date: String(atS - 301) });
    expect((await ask(anonymous, old)).success).toBe(false);
    // Signed for another, who is linked to nobody.
    const changed = signed({ ...fields, id: '43', auth_date: String(atS - 2) }).replace('id=43', 'id=42');
    expect((await ask(anonymous, changed)).success).toBe(false);
  });

  it.each([
    ['in capitals', (hash: string) => hash.toUpperCase()],
    ['with more behind it', (hash: string) => `${hash}zz`],
  ])('takes no answer twice whose hash is spelled another way: %s', async (_, spell) => {
    const ada = await stage().person(`ada-${(people += 1)}`);
    const fields = { id: `99${people}`, auth_date: String(now()) };
    const bindIt = signed({ ...fields, first_name: 'Ada' });
    expect((await ask(stage().caller(await stage().session(ada)), bindIt, 'bind')).success).toBe(true);
    const once = new URLSearchParams(signed(fields));
    expect((await ask(stage().caller(), once.toString())).data).toMatchObject({ id: ada.id });
    once.set('hash', spell(once.get('hash') ?? ''));
    expect((await ask(stage().caller(), once.toString())).success).toBe(false);
  });

  it('believes no name that reads as another field', async () => {
    const victim = await stage().person('ada-of-lines');
    const atS = String(now());
    const bindIt = signed({ id: '7', auth_date: atS });
    expect((await ask(stage().caller(await stage().session(victim)), bindIt, 'bind')).success).toBe(true);
    // What Telegram signs for 999, whose last name has a line break, is the same text as of a longer first name and 7.
    const told = new URLSearchParams(
      signed({ auth_date: atS, first_name: 'F', id: '999', last_name: 'L\nid=7' }),
    );
    const read = {
      auth_date: atS,
      first_name: 'F\nid=999\nlast_name=L',
      id: '7',
      hash: told.get('hash') ?? '',
    };
    expect((await ask(stage().caller(), new URLSearchParams(read).toString())).success).toBe(false);
  });
});

it('its secret is not in the log', () => {
  expect(scene.log.lines.filter((line) => line.includes(BOT))).toEqual([]);
});
