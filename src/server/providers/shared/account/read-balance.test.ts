import { describe, expect, it } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import { Secret } from '#core/secrets/secret.ts';
import { providerOf } from '../../registry.ts';

const NOW = Date.UTC(2026, 10, 21);
const deepseekBody = {
  is_available: true,
  balance_infos: [
    { currency: 'CNY', total_balance: '73.00' },
    { currency: 'USD', total_balance: '1.50' },
  ],
};

describe('the balance of a channel', () => {
  it.each([
    [
      1,
      '',
      ['https://api.openai.com/v1/dashboard/billing/subscription'],
      [{ hard_limit_usd: 20 }, { total_usage: 750 }],
      12.5,
    ],
    [
      1,
      'https://one.example/v1',
      ['https://one.example/v1/dashboard/billing/subscription'],
      [{ hard_limit_usd: '5' }, { total_usage: 0 }],
      5,
    ],
    [
      8,
      'https://one.example/v1/chat/completions',
      ['https://one.example/v1/dashboard/billing/subscription'],
      [{ hard_limit_usd: 1 }, { total_usage: 200 }],
      -1,
    ],
    [
      25,
      '',
      ['https://api.moonshot.cn/v1/users/me/balance'],
      [{ code: 0, data: { available_balance: 7.3 } }],
      1,
    ],
    [
      25,
      'https://api.moonshot.ai',
      ['https://api.moonshot.ai/v1/users/me/balance'],
      [{ data: { available_balance: 7.3 } }],
      7.3,
    ],
    [40, '', ['https://api.siliconflow.cn/v1/user/info'], [{ data: { totalBalance: '14.6' } }], 2],
    [
      40,
      'https://api.siliconflow.com/v1',
      ['https://api.siliconflow.com/v1/user/info'],
      [{ data: { totalBalance: '14.6' } }],
      14.6,
    ],
    [43, '', ['https://api.deepseek.com/user/balance'], [deepseekBody], 11.5],
    [43, 'https://api.deepseek.com/v1', ['https://api.deepseek.com/user/balance'], [deepseekBody], 11.5],
    [
      43,
      'https://api.deepseek.com/anthropic/',
      ['https://api.deepseek.com/user/balance'],
      [deepseekBody],
      11.5,
    ],
    [
      20,
      'https://openrouter.ai/api/v1',
      ['https://openrouter.ai/api/v1/credits'],
      [{ data: { total_credits: 110.5, total_usage: 25.75 } }],
      84.75,
    ],
    [107, '', ['https://ai-gateway.vercel.sh/v1/credits'], [{ balance: '95.50', total_used: '4.50' }], 95.5],
    [
      108,
      'https://one.example',
      ['https://one.example/v1/dashboard/billing/subscription'],
      [{ hard_limit_usd: 3 }, { total_usage: 100 }],
      2,
    ],
  ])('of type %i at "%s" is asked for and read', (type, baseUrl, urls, bodies, wanted) => {
    const reader = providerOf(type)?.balance;
    const channel = channelOf(type, { key: new Secret('sk-1'), baseUrl });
    const requests = reader?.requests(channel, NOW) ?? [];
    expect(requests.slice(0, urls.length).map(({ url }) => url)).toEqual(urls);
    expect(requests.every(({ headers }) => headers['authorization'] === 'Bearer sk-1')).toBe(true);
    expect(requests).toHaveLength(bodies.length);
    expect(reader?.read(bodies, 7.3, channel)).toBeCloseTo(wanted, 9);
  });

  it('of OpenAI counts what a hundred days used', () => {
    expect(providerOf(1)?.balance?.requests(channelOf(1), NOW)[1]?.url).toBe(
      'https://api.openai.com/v1/dashboard/billing/usage?start_date=2026-08-13&end_date=2026-11-22',
    );
  });

  it('that an answer does not tell is an error, never a number', () => {
    expect(() => providerOf(43)?.balance?.read([{ error: 'no' }], 7.3, channelOf(43))).toThrow(
      'does not tell',
    );
    expect(() =>
      providerOf(40)?.balance?.read([{ data: { totalBalance: 'much' } }], 7.3, channelOf(40)),
    ).toThrow();
  });

  it('is not told by types without a call for it', () => {
    expect([2, 14, 24, 36, 42].map((type) => providerOf(type)?.balance)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
