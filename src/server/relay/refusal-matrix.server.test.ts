import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { channelStatus, tokenStatus } from '#contract/codes.ts';
import type { TokenChanges } from '#core/token/token-store.ts';
import { addressOf, hangUp, listening } from '../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../http/testing/scene.ts';
import { type Asked, type CallerKind, callerKinds } from './testing/refusal-callers.ts';
import { type Expected, lineExpected, lineOf } from './testing/refusal-shapes.ts';

/**
 * Every refusal, to every kind of caller. What is expected is from the makers, not from here:
 * - OpenAI: the four fields of an error (platform.openai.com/docs/guides/error-codes); its clients try again as
 *   `x-should-retry` says, else after 408, 409, 429 and from 500 on (openai-node and openai-python, `shouldRetry`).
 * - Anthropic: the type of each status (platform.claude.com/docs/en/api/errors); the same rule of retries.
 * - Google: google.rpc.Status, its word being that of the canonical code that HTTP has for the status
 *   (cloud.google.com/apis/design/errors).
 * - Midjourney Proxy and the Suno API: `code` and `description`, `code` and `message`.
 */

type Which = (kind: CallerKind) => boolean;
const { realtime, images } = callerKinds;
const overSocket = callerKinds['responses over a WebSocket'];
const every: Which = () => true;
const paying: Which = ({ isCount }) => isCount !== true;
/** The key of a WebSocket is believed or not before there is a turn. */
const overHttp: Which = (kind) => kind !== overSocket;
const choosing: Which = ({ hasOwnModels }) => hasOwnModels !== true;
const withJson: Which = ({ hasNoJson }) => hasNoJson !== true;
/** What is made each time it is asked for is not asked for again where nobody knows whether it was made. */
const harmless: Which = (kind) => paying(kind) && choosing(kind) && kind !== images;
const fatal: Which = (kind) => paying(kind) && !harmless(kind);

interface Refusal extends Expected {
  readonly key?: () => Spender | Promise<Spender>;
  readonly asked?: Partial<Asked>;
  readonly which?: Which;
}

const NO_KEY = { status: 401, code: 'invalid_api_key', retry: false, which: overHttp } as const;
const SAYS_MUCH = { words: 'hello '.repeat(50) };
const NO_MONEY = { status: 403, of: { anthropic: 402 }, retry: false, which: paying } as const;
const WRONG = { status: 400, retry: false } as const;
const LIMITED = {
  status: 429,
  code: 'rate_limited',
  retry: true,
  after: 60,
  limit: true,
  which: paying,
} as const;
const TIMED_OUT = { status: 504, retry: true } as const;
const SILENT = { ...TIMED_OUT, asked: { model: 'hangs' }, key: () => hasty } as const;

const refusals: readonly (readonly [string, Refusal])[] = [
  ['a wrong key', { ...NO_KEY, asked: { key: 'wrong' } }],
  ['a disabled key', { ...NO_KEY, key: () => changed({ status: tokenStatus.disabled }) }],
  ['a key that has expired', { ...NO_KEY, key: () => changed({ expiresAtMs: 1 }) }],
  [
    'a key for other addresses',
    {
      status: 403,
      code: 'ip_forbidden',
      retry: false,
      which: overHttp,
      key: () => changed({ allowIps: '10.1.2.3' }),
    },
  ],
  [
    'a key for other models',
    {
      status: 403,
      of: { anthropic: 404 },
      code: 'model_forbidden',
      retry: false,
      key: () => changed({ modelLimitsEnabled: true, modelLimits: ['another'] }),
    },
  ],
  [
    'a model that there is not',
    { status: 404, code: 'model_not_found', retry: false, asked: { model: 'none' }, which: choosing },
  ],
  [
    'a model whose channels are all off',
    {
      status: 503,
      code: 'no_channel',
      retry: true,
      asked: { model: 'resting' },
      which: (kind) => choosing(kind) && paying(kind),
    },
  ],
  ['an empty account', { ...NO_MONEY, code: 'insufficient_user_quota', key: () => spender(0) }],
  [
    'an empty key',
    // A word alone may be spoken for the unit that is left.
    { ...NO_MONEY, code: 'insufficient_token_quota', key: () => spender(1e9, 1), asked: SAYS_MUCH },
  ],
  ['a body that is no JSON', { ...WRONG, asked: { spoilt: 'no JSON' }, which: withJson }],
  ['a body that is a list', { ...WRONG, asked: { spoilt: 'a list' }, which: withJson }],
  [
    'a body that is too long',
    {
      status: 413,
      code: 'payload_too_large',
      retry: false,
      asked: { spoilt: 'too long' },
      which: (kind) => kind !== realtime && kind !== overSocket,
    },
  ],
  [
    'a word that is not allowed',
    {
      ...WRONG,
      asked: { words: 'a forbiddenfruit' },
      which: (kind) => paying(kind) && kind.hasNoWords !== true,
    },
  ],
  ['the limit of calls', { ...LIMITED, key: () => atLimit(() => changed({ group: 'slow' })) }],
  ["the limit of calls of the caller's own group", { ...LIMITED, key: () => atLimit(() => ofGroup('slow')) }],
  [
    'the limit of calls that succeed',
    { ...LIMITED, key: () => atLimit(() => changed({ group: 'lucky' }), 'works') },
  ],
  ...(
    [
      [400, { status: 400, retry: false }],
      [401, { status: 502, retry: false }],
      [402, { status: 502, retry: false }],
      [403, { status: 502, retry: false }],
      [404, { status: 404, retry: false }],
      [408, { status: 504, retry: true }],
      [413, { status: 413, retry: false }],
      [429, { status: 429, retry: true, after: 7 }],
      [500, { status: 502, retry: true }],
      [502, { status: 502, retry: true }],
      [503, { status: 503, retry: true }],
      [529, { status: 503, of: { anthropic: 529 }, retry: true }],
    ] as const
  ).map(([status, expected]): readonly [string, Refusal] => [
    `an upstream that answers ${String(status)}`,
    { ...expected, asked: { model: `status-${String(status)}` }, which: paying },
  ]),
  // A WebSocket has ten seconds to open.
  ['an upstream that is silent', { ...SILENT, which: (kind) => harmless(kind) && kind !== realtime }],
  ['a proxy that did not wait', { ...TIMED_OUT, asked: { model: 'status-504' }, which: harmless }],
  ['silence about what is made', { ...SILENT, retry: false, which: fatal }],
  ['no wait for what is made', { ...TIMED_OUT, retry: false, asked: { model: 'status-504' }, which: fatal }],
  ['an upstream that breaks off', { status: 502, retry: true, asked: { model: 'breaks' }, which: harmless }],
];

/** Answers with the status that is named somewhere in the request, `works` with a chat; `hangs` is never answered, `breaks` breaks off. */
const startUpstream = async (): Promise<Server> => {
  const words = JSON.stringify({ error: { message: 'words of the upstream', type: 'a_type' } });
  const statusIn = (text: string): number | undefined => {
    if (text.includes('hangs')) return undefined;
    return text.includes('breaks') ? 0 : Number(/status-(\d+)/.exec(text)?.[1] ?? 200);
  };
  const message = { role: 'assistant', content: 'hi' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const works = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
  const headers = { 'content-type': 'application/json', 'retry-after': '7' };
  const server = createServer((request, response) => {
    let text = request.url ?? '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => {
      const status = statusIn(text);
      if (status === 0) response.destroy();
      else if (status !== undefined)
        response.writeHead(status, headers).end(text.includes('works') ? works : words);
    });
  });
  server.on('upgrade', ({ url = '' }, socket) => {
    const status = statusIn(url);
    const head = Object.entries({ ...headers, 'content-length': words.length, connection: 'close' });
    const lines = head.map(([name, value]) => `${name}: ${String(value)}\r\n`).join('');
    socket.on('error', () => undefined);
    if (status === 0) socket.destroy();
    else if (status !== undefined) socket.end(`HTTP/1.1 ${String(status)} x\r\n${lines}\r\n${words}`);
  });
  await listening(server);
  return server;
};

const MODELS = ['good', 'works', 'hangs', 'breaks', 'status-418', 'status-504'].concat(
  refusals.flatMap(([, { asked }]) => (asked?.model?.startsWith('status-') === true ? asked.model : [])),
);
/** The model's name for a kind of caller: what Google's callers embed is served by a channel of Google's. */
const nameFor = (kind: string, model: string): string => (kind === 'embedContent' ? `g-${model}` : model);

let scene: Scene;
let upstream: Server;
let rich: Spender;
/** The channels of this key's group wait a second; all others as long as the upstream takes on this machine. */
let hasty: Spender;
let names = 0;

const spender = (units = 1_000_000_000, keyUnits?: number): Promise<Spender> =>
  scene.spender(`caller-${String((names += 1))}`, units, keyUnits);

const changed = async (changes: TokenChanges): Promise<Spender> => {
  const made = await spender();
  const { tokens } = scene.server.parts;
  const [token] = (await tokens.list(made.user, { page: 1, pageSize: 1 })).items;
  await tokens.update(made.user, token?.id ?? 0, changes);
  return made;
};

/** Somebody of this group, whose keys name none. */
const ofGroup = async (group: string): Promise<Spender> => {
  const made = await spender();
  await scene.server.parts.stores.managedUsers.update(made.user.id, { group });
  return made;
};

/** Somebody whose group has one call a minute, or one that succeeds, and who has made it. */
const atLimit = async (make: () => Promise<Spender>, model = 'good'): Promise<Spender> => {
  const made = await make();
  await callerKinds['chat']?.send({ url: scene.server.url, key: made.key, model, words: 'hi' });
  return made;
};

beforeAll(async () => {
  upstream = await startUpstream();
  const baseUrl = addressOf(upstream);
  scene = await openScene();
  const { stage, root } = scene;
  const priced = [...MODELS, 'resting'].flatMap((name) => [name, `g-${name}`]);
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(priced.map((name) => [name, 1]))));
  await scene.set('RetryTimes', 0);
  await scene.set('SensitiveWords', 'forbiddenfruit');
  await scene.set('GroupRatio', JSON.stringify({ default: 1, slow: 1, lucky: 1, busy: 1, hasty: 1 }));
  await scene.set(
    'UserUsableGroups',
    JSON.stringify({ default: '', slow: '', lucky: '', busy: '', hasty: '' }),
  );
  await scene.set('ModelRequestRateLimitEnabled', true);
  await scene.set('ModelRequestRateLimitCount', 0);
  await scene.set('ModelRequestRateLimitSuccessCount', 1000);
  await scene.set(
    'ModelRequestRateLimitGroup',
    JSON.stringify({ slow: [1, 1000], lucky: [0, 1], busy: [9, 1000] }),
  );
  const open = { baseUrl, groups: 'default,slow,lucky,busy', statusCodeMapping: '{"418":"409"}' };
  const quick = { first_byte_timeout_ms: 1000, first_event_timeout_ms: 1000, whole_reply_timeout_ms: 1000 };
  for (const all of [open, { ...open, groups: 'hasty', setting: JSON.stringify(quick) }]) {
    await stage.channel(root, { ...all, models: MODELS.join(',') });
    await stage.channel(root, { ...all, type: 24, models: MODELS.map((name) => `g-${name}`).join(',') });
    await stage.channel(root, { ...all, type: 2, models: 'mj_imagine' });
    await stage.channel(root, { ...all, type: 36, models: 'suno_music' });
  }
  const { id } = await stage.channel(root, { baseUrl, models: 'resting,g-resting' });
  await scene.server.parts.stores.channels.update(id, { status: channelStatus.disabled });
  await scene.server.parts.refreshRouting();
  rich = await spender();
  hasty = await changed({ group: 'hasty' });
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

it.each(refusals)('%s', async (_, { key = () => rich, asked, which = every, ...expected }) => {
  const common = { url: scene.server.url, model: 'good', words: 'hi', ...(await key()), ...asked };
  const kinds = Object.entries(callerKinds).filter(([, kind]) => which(kind));
  const told = kinds.map(async ([name, kind]) => {
    const answer = await kind.send({ ...common, model: nameFor(name, common.model) });
    return `${name}: ${lineOf(kind, answer, expected)}`;
  });
  expect(await Promise.all(told)).toEqual(
    kinds.map(([name, kind]) => `${name}: ${lineExpected(kind, expected)}`),
  );
});

it('what is left of the limit of calls is told with every answer, also with what an upstream refuses', async () => {
  const kinds = Object.entries(callerKinds).filter(([, kind]) => paying(kind) && kind !== realtime);
  const told = kinds.map(async ([name, { family, send }]) => {
    const { key } = await changed({ group: 'busy' });
    const answer = await send({
      url: scene.server.url,
      key,
      model: nameFor(name, 'status-400'),
      words: 'hi',
    });
    const prefix = family === 'anthropic' ? 'anthropic-ratelimit-requests-' : 'x-ratelimit-';
    const suffix = family === 'anthropic' ? '' : '-requests';
    const header = (what: string) => String(answer.header(`${prefix}${what}${suffix}`));
    return `${name}: ${header('remaining')} of ${header('limit')}`;
  });
  expect(await Promise.all(told)).toEqual(kinds.map(([name]) => `${name}: 8 of 9`));
});

it('a status that the channel tells as another', async () => {
  const kinds = Object.entries(callerKinds).filter(([, kind]) => paying(kind));
  const told = kinds.map(async ([name, { send }]) => {
    const model = nameFor(name, 'status-418');
    const { status } = await send({ url: scene.server.url, key: rich.key, model, words: 'hi' });
    return `${name}: ${String(status)}`;
  });
  expect(await Promise.all(told)).toEqual(kinds.map(([name]) => `${name}: 409`));
});
