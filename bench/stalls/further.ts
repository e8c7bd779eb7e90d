import type { HeavyCall } from './call.ts';
import { event } from './formats.ts';
import { CHAT, json, many, MEGABYTE, prose, sources, SOURCES } from './texts.ts';

/** Calls that are heavy in a single field or respect. */

const chat = (model: string, more: object): Buffer =>
  json({ model, max_tokens: 16, messages: [{ role: 'user', content: 'x' }], ...more });

const bias = (count: number) => Object.fromEntries(many(count, (at) => [String(at), 1]));

const smallTools = (count: number) =>
  many(count, (at) => ({ type: 'function', function: { name: `f${at}`, parameters: { type: 'object' } } }));

const fields: HeavyCall[] = sources.flatMap((model) =>
  (
    [
      ['logit_bias of 9,000 entries', () => ({ logit_bias: bias(9000) })],
      ['logit_bias of 2,000,000 entries', () => ({ logit_bias: bias(2_000_000) })],
      ['200,000 tools', () => ({ tools: smallTools(200_000) })],
      ['1,600 tools', () => ({ tools: smallTools(1600) })],
      ['200,000 stop sequences', () => ({ stop: many(200_000, String) })],
      ['metadata of 9,000 names', () => ({ metadata: bias(9000) })],
    ] as const
  ).map(([name, more]) => ({ name: `${name}, ${model}`, path: CHAT, body: () => chat(model, more()) })),
);

const part = (head: string, value = 'x'): string => `--B\r\n${head}\r\n\r\n${value}\r\n`;

const form = (name: string, parts: readonly string[]): HeavyCall => ({
  name,
  path: '/v1/images/edits',
  headers: { 'content-type': 'multipart/form-data; boundary=B' },
  body: () =>
    Buffer.from(
      [
        ...parts,
        part('Content-Disposition: form-data; name="model"', 'same'),
        part('Content-Disposition: form-data; name="prompt"'),
        '--B--\r\n',
      ].join(''),
    ),
});

const forms: readonly HeavyCall[] = [
  form(
    'a form of 10,000 fields',
    many(10_000, (at) => part(`Content-Disposition: form-data; name="f${at}"`)),
  ),
  form(
    'a form of 10,000 pictures',
    many(10_000, (at) =>
      part(`Content-Disposition: form-data; name="image[]"; filename="${at}.png"\r\nContent-Type: image/png`),
    ),
  ),
  form(
    'a form whose parts have 10,000 headers',
    many(100, () => part(many(100, (at) => `X-${at}: ${prose(50)}`).join('\r\n'))),
  ),
  form('a form with a head of 4 MB', [part(`Content-Disposition: form-data; name="${prose(4 * MEGABYTE)}"`)]),
  form('30 MB of boundaries that are none', ['--C\r\n--BB\r\n--B'.repeat(2 * MEGABYTE)]),
  form('30 MB of dashes', ['-'.repeat(30 * MEGABYTE)]),
];

/** A picture in an event that must be converted to another format. */
const pictured = (megabytes: number): HeavyCall => ({
  name: `a picture of ${megabytes} MB in an event from Gemini`,
  path: CHAT,
  body: () => chat('gem', { stream: true }),
  answer: () => ({
    body: Buffer.from(
      event({
        candidates: [
          {
            content: {
              role: 'model',
              parts: [
                {
                  inlineData: {
                    mimeType: 'image/png',
                    data: 'iVBORw0KGgoA'.repeat((megabytes * MEGABYTE) / 12),
                  },
                },
              ],
            },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
      }),
    ),
  }),
});

const wide: HeavyCall[] = [
  {
    name: '3,000 headers',
    path: CHAT,
    headers: Object.fromEntries(many(3000, (at) => [`x${at}`, ''])),
    body: () => chat('same', {}),
  },
  ...sources.map((model) => ({
    name: `a value 5,000,000 deep, ${SOURCES[model]}`,
    path: CHAT,
    body: () =>
      Buffer.from(
        `{"model":"${model}","messages":[],"more":${'{"a":'.repeat(2_500_000)}1${'}'.repeat(2_500_000)}}`,
      ),
  })),
];

const CHANNEL = { type: 1, name: 'pasted', models: 'm', base_url: 'http://127.0.0.1:9', group: 'default' };

const PRICE = { price: null, ratio: 1, completion_ratio: 2, cache_ratio: null, create_cache_ratio: null };

const keys = (bytes: number): string =>
  many(Math.floor(bytes / 50), (at) => `sk-${prose(40)}${at}`).join('\n');

const signedIn: readonly HeavyCall[] = [
  {
    name: 'API: 10 MB of keys pasted',
    path: '/api/channel',
    body: () => json({ ...CHANNEL, key: keys(10 * MEGABYTE) }),
  },
  {
    name: 'API: 500 KB of keys pasted',
    path: '/api/channel',
    body: () => json({ ...CHANNEL, key: keys(500_000) }),
  },
  {
    name: 'API: a channel with 10 MB of a mapping',
    path: '/api/channel',
    body: () =>
      json({
        ...CHANNEL,
        key: 'k',
        model_mapping: JSON.stringify(Object.fromEntries(many(400_000, (at) => [`m${at}`, 'n']))),
      }),
  },
  {
    name: 'API: a draft of 5,000 prices',
    path: '/api/price_book/draft',
    body: () =>
      json({
        entries: many(5000, (at) => ({
          option: 'ModelRatio',
          key: `vendor/${'m'.repeat(80)}-${at}`,
          value: 2,
        })),
      }),
  },
  {
    name: 'API: prices of 2,000 models set at once',
    method: 'PUT',
    path: '/api/pricing/models',
    body: () => json({ models: many(2000, (at) => ({ ...PRICE, model: `vendor/model-${at}` })) }),
  },
  { name: 'API: the bundled prices compared', path: '/api/price_book/compare', body: () => json({}) },
  {
    name: 'API: logs by awful patterns',
    method: 'GET',
    path: `/api/log?model_name=${'%25_'.repeat(3000)}`,
  },
  {
    name: 'API: channels by awful patterns',
    method: 'GET',
    path: `/api/channel/search?keyword=${'%25_%5C'.repeat(1500)}`,
  },
  { name: 'API: a query of 4,000 names', method: 'GET', path: `/api/log?${'a=1&'.repeat(3500)}` },
];

export const heavyFurther: readonly HeavyCall[] = [
  ...fields,
  ...forms,
  ...[1, 7, 12, 40].map(pictured),
  ...wide,
  ...signedIn.map((call) => ({ ...call, isSignedIn: true as const })),
];
