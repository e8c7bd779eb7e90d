import type { HeavyCall } from './call.ts';
import { json, many, prose } from './texts.ts';

const numbers = (count: number): Buffer => Buffer.from(`{"a":[${'0,'.repeat(count)}0]}`);
const names = (count: number) => Object.fromEntries(many(count, (at) => [`name_${at}`, at]));

const CHANNEL = {
  type: 1,
  name: 'many',
  models: 'many',
  base_url: 'http://127.0.0.1:9',
  group: 'default',
  status: 2,
};

/** The complete price table of a large site. */
const ratios = (count: number): string =>
  JSON.stringify(Object.fromEntries(many(count, (at) => [`vendor/model-${at}`, 1.25])));

const calls: readonly HeavyCall[] = [
  { name: 'API: a token of 4,000,000 numbers', path: '/api/token', body: () => numbers(4_000_000) },
  { name: 'API: a token of 480,000 numbers', path: '/api/token', body: () => numbers(480_000) },
  {
    name: 'API: a token of 8 MB of letters',
    path: '/api/token',
    body: () => json({ name: prose(8_000_000) }),
  },
  { name: 'API: a token of 400,000 names', path: '/api/token', body: () => json(names(400_000)) },
  {
    name: 'API: a token with 400,000 models',
    path: '/api/token',
    body: () =>
      json({
        name: 'x',
        model_limits_enabled: true,
        model_limits: many(400_000, (at) => `m${at}`).join(','),
      }),
  },
  {
    name: 'API: own settings of 480,000 numbers',
    method: 'PUT',
    path: '/api/user/setting',
    body: () => numbers(480_000),
  },
  {
    name: 'API: 400,000 ids of tokens',
    path: '/api/token/batch',
    body: () => json({ ids: many(400_000, (at) => at + 1) }),
  },
  {
    name: 'API: an option of 4 MB of prices, which is refused',
    method: 'PUT',
    path: '/api/option',
    body: () => json({ key: 'ModelRatio', value: ratios(120_000) }),
  },
  {
    name: 'API: prices of 19,000 models',
    method: 'PUT',
    path: '/api/option',
    body: () => json({ key: 'ModelRatio', value: ratios(19_000) }),
  },
  {
    name: 'API: other prices of 19,000 models',
    method: 'PUT',
    path: '/api/option',
    body: () => json({ key: 'ModelRatio', value: ratios(19_000).replaceAll('1.25', '1.5') }),
  },
  {
    name: 'API: 4 MB of words',
    method: 'PUT',
    path: '/api/option',
    body: () => json({ key: 'SensitiveWords', value: many(300_000, (at) => `word${at}`).join('\n') }),
  },
  { name: 'API: all options, with 4 MB', method: 'GET', path: '/api/option' },
  {
    name: 'API: a call while there are 4 MB of words',
    path: '/v1/chat/completions',
    body: () => json({ model: 'same', messages: [{ role: 'user', content: 'x' }] }),
  },
  {
    name: 'API: 10 words',
    method: 'PUT',
    path: '/api/option',
    body: () => json({ key: 'SensitiveWords', value: 'a_bad_word' }),
  },
  { name: 'API: prices', method: 'GET', path: '/api/pricing' },
  {
    name: 'API: a channel of 2,000 models',
    path: '/api/channel',
    body: () => json({ ...CHANNEL, key: 'k', models: many(2000, (at) => `model-${at}`).join(',') }),
  },
  {
    name: 'API: 1,000 channels at once',
    path: '/api/channel',
    body: () => json({ ...CHANNEL, key: many(1000, (at) => `key-${at}`).join('\n') }),
  },
  {
    name: 'API: 8,000 channels at once',
    path: '/api/channel',
    body: () =>
      json({ ...CHANNEL, status: 1, models: 'a,b,c', key: many(8000, (at) => `k${at}`).join('\n') }),
  },
  {
    name: 'API: one more of 10,000 channels',
    path: '/api/channel',
    body: () => json({ ...CHANNEL, key: 'k' }),
  },
  { name: 'API: a page of channels', method: 'GET', path: '/api/channel?page_size=100' },
  { name: 'API: all models', method: 'GET', path: '/api/channel/models_enabled' },
  {
    name: 'a call beside 10,000 channels',
    path: '/v1/chat/completions',
    body: () => json({ model: 'same', messages: [{ role: 'user', content: 'x' }] }),
  },
];

/** Calls of the control plane, signed in as the super admin; later ones see what earlier ones have written. */
export const heavyControl: readonly HeavyCall[] = calls.map((call) =>
  call.path.startsWith('/api') ? { ...call, isSignedIn: true } : call,
);
