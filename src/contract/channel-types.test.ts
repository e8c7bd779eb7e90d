import { expect, test } from 'vitest';
import { channelTypes } from './channel-types.ts';
import {
  CHANNEL_PRIORITY_MIN,
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  PAGE_SIZES,
  QUOTA_PER_UNIT,
} from './limits.ts';

test('the kinds of upstreams have the numbers and names of the specification', () => {
  const labels = Object.fromEntries(channelTypes.map(({ id, label }) => [id, label]));
  expect(labels).toMatchObject({
    1: 'OpenAI',
    2: 'Midjourney Proxy',
    3: 'Azure OpenAI',
    4: 'Ollama',
    5: 'Midjourney Proxy Plus',
    8: 'Custom',
    11: 'PaLM2',
    14: 'Anthropic Claude',
    15: 'Baidu',
    16: 'Zhipu',
    17: 'Alibaba',
    18: 'iFlytek',
    19: '360',
    21: 'AI Proxy knowledge base',
    22: 'FastGPT knowledge base',
    23: 'Tencent',
    24: 'Gemini',
    25: 'Moonshot',
    26: 'Zhipu v4',
    31: '01.AI',
    33: 'AWS Claude',
    34: 'Cohere',
    35: 'MiniMax',
    36: 'Suno',
    37: 'Dify',
    38: 'Jina',
    39: 'Cloudflare',
    40: 'SiliconCloud',
    41: 'Vertex AI',
    42: 'Mistral',
    43: 'DeepSeek',
    44: 'Embedding model',
    45: 'Volcengine',
    46: 'Baidu v2',
  });
  expect(new Set(channelTypes.map(({ id }) => id)).size).toBe(channelTypes.length);
});

test('a kind without an address of its own, or with something more to enter, says so', () => {
  const without = channelTypes.filter(({ baseUrl }) => baseUrl === '').map(({ id }) => id);
  expect(without).toEqual([2, 3, 5, 8, 33, 36, 41, 47, 108]);
  const other = Object.fromEntries(
    channelTypes.flatMap((type) => (type.other === undefined ? [] : [[type.id, type.other]])),
  );
  expect(other).toEqual({
    3: 'api-version',
    17: 'plugin',
    18: 'api-version',
    21: 'library-id',
    24: 'api-version',
    39: 'account-id',
    41: 'region',
    44: 'api-version',
    49: 'bot-id',
  });
});

test('pages have 10, 20, 50 or 100 rows, priorities begin at −999, a dollar is 500,000 units', () => {
  expect([PAGE_SIZES, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE]).toEqual([[10, 20, 50, 100], 10, 100]);
  expect([CHANNEL_PRIORITY_MIN, QUOTA_PER_UNIT]).toEqual([-999, 500_000]);
});
