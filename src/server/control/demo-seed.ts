import { logType, role } from '#contract/codes.ts';
import type { Routing } from '#core/channel/routing.ts';
import { noUsage } from '#core/chat/usage.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { CallLog } from '#core/log/log.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import { type Price, priceOf, priceSteps, quotaOf } from '#core/quota/price.ts';
import { taskPrices } from '#core/task/task-price.ts';
import type { User } from '#core/user/user.ts';
import type { Channels } from './channels.ts';
import { type DemoCall, demoModels, demoTraffic } from './demo-traffic.ts';
import { type DemoPeopleDeps, makePerson, seedPeople } from './demo-people.ts';
import { type DemoPayments, type DemoWalletDeps, seedWallet } from './demo-wallet.ts';
import { type DemoTaskDeps, seedSightings, seedTasks } from './demo-tasks.ts';
import type { Passwords } from './passwords.ts';
import type { OpenToken, Tokens } from './tokens.ts';

const ROOT_QUOTA_UNITS = 100_000_000;
const USER_QUOTA_UNITS = 25_000_000;
const HOLD_MS = 60_000;
const BATCH = 200;
const DRAWING_TYPE = 2;
const MUSIC_TYPE = 36;

export interface DemoDeps extends DemoPeopleDeps, DemoWalletDeps, DemoTaskDeps {
  readonly passwords: Passwords;
  readonly options: OptionStore;
  readonly channels: Channels;
  readonly tokens: Tokens;
  readonly ledger: Ledger;
  readonly routing: () => Routing;
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Whom the demo can be entered as. */
export interface DemoAccounts {
  readonly root: { readonly username: string; readonly password: string };
  readonly user: { readonly username: string; readonly password: string };
  /** A relay key of the user, with `sk-` in front. */
  readonly key: string;
}

/**
 * Fills an empty server so that everything can be seen: two accounts to enter with and people beside them, channels
 * that lead to the fake upstream, tokens, and a week of calls, each charged through the ledger like a real one.
 */
export const seedDemo = async (
  deps: DemoDeps,
  upstreamUrl: string,
  payments?: DemoPayments,
): Promise<DemoAccounts> => {
  const root = { username: 'root', password: deps.random.alphanumeric(16) };
  const user = { username: 'alice', password: deps.random.alphanumeric(16) };
  const rootUser = await enterable(deps, root, role.root, ROOT_QUOTA_UNITS);
  const aliceUser = await enterable(deps, user, role.user, USER_QUOTA_UNITS);
  const unknown = await deps.passwords.hash(deps.random.alphanumeric(32));
  const customers = await seedPeople(deps, { root: rootUser, alice: aliceUser }, unknown);
  await deps.options.set('SystemName', 'Tollgate demo', deps.clock.now());
  await deps.options.set('RetryTimes', '2', deps.clock.now());
  // The catalogue knows the chat models; this one shows a price an operator has set.
  await deps.options.set('ModelRatio', '{"text-embedding-3-small":0.01}', deps.clock.now());
  for (const channel of demoChannels(upstreamUrl)) await deps.channels.create(rootUser, channel);
  await deps.refreshRouting();
  await seedWallet(deps, { root: rootUser, user: aliceUser, customers }, payments);
  await deps.refreshRouting();
  const tokens = await makeTokens(deps, aliceUser, rootUser, customers);
  await writeTraffic(deps, tokens);
  const [first] = tokens;
  if (first !== undefined) await seedOthers(deps, first, upstreamUrl);
  return { root, user, key: `sk-${first?.token.key ?? ''}` };
};

/** What is beside the chats: drawings, music, and who has been seen. */
const seedOthers = async (deps: DemoDeps, { owner, token }: Spender, upstreamUrl: string): Promise<void> => {
  const idOf = (type: number): number =>
    [...deps.routing().channels.values()].find((channel) => channel.type === type)?.id ?? 0;
  const maker = { owner, tokenId: token.id, tokenName: token.name };
  await seedTasks(deps, maker, { drawing: idOf(DRAWING_TYPE), music: idOf(MUSIC_TYPE) }, upstreamUrl);
  await seedSightings(deps, 1);
};

const enterable = async (
  deps: DemoDeps,
  { username, password }: { readonly username: string; readonly password: string },
  rank: number,
  quotaUnits: number,
): Promise<User> => {
  const passwordHash = await deps.passwords.hash(password);
  return makePerson(deps, {
    username,
    displayName: username,
    passwordHash,
    role: rank,
    quotaUnits,
    daysAgo: 8,
  });
};

const demoChannels = (baseUrl: string) => {
  const channel = {
    type: 1,
    key: 'sk-demo-upstream',
    status: 1,
    organization: '',
    baseUrl,
    other: '',
    groups: 'default,vip,svip',
    modelMapping: '',
    statusCodeMapping: '',
    setting: '',
    paramOverride: '',
    testModel: 'gpt-4o-mini',
    maxInputTokens: 0,
    priority: 0,
    weight: 1,
    autoDisable: true,
    tag: null,
    models: demoModels.join(','),
  };
  return [
    { ...channel, name: 'Fake upstream, first', weight: 3, tag: 'fake' },
    { ...channel, name: 'Fake upstream, second', weight: 1, tag: 'fake' },
    { ...channel, name: 'Fake upstream, backup', priority: -10 },
    {
      ...channel,
      name: 'Fake drawings',
      type: DRAWING_TYPE,
      models: Object.keys(taskPrices)
        .filter((name) => !name.startsWith('suno'))
        .join(','),
    },
    { ...channel, name: 'Fake music', type: MUSIC_TYPE, models: 'suno_music,suno_lyrics' },
    {
      ...channel,
      name: 'DeepSeek, switched off',
      type: 43,
      status: 2,
      models: 'deepseek-chat,deepseek-reasoner',
    },
  ];
};

interface Spender {
  readonly owner: User;
  readonly token: OpenToken;
}

const makeTokens = async (
  deps: DemoDeps,
  alice: User,
  root: User,
  customers: readonly User[],
): Promise<Spender[]> => {
  const wish = {
    expiresAtMs: null,
    remainQuotaUnits: 10_000_000,
    unlimited: false,
    modelLimitsEnabled: false,
    modelLimits: [],
    allowIps: '',
    group: '',
  };
  const make = async (owner: User, name: string, unlimited: boolean): Promise<Spender[]> =>
    (await deps.tokens.create(owner, { ...wish, name, unlimited }, 1)).map((token) => ({ owner, token }));
  return [
    ...(await make(alice, 'website', true)),
    ...(await make(alice, 'notebook', false)),
    ...(await make(root, 'operations', true)),
    ...(await Promise.all(customers.map((customer) => make(customer, 'app', true)))).flat(),
  ];
};

/** Every call holds, settles and is logged at the time it is said to have happened; batches commit together. */
const writeTraffic = async (deps: DemoDeps, spenders: readonly Spender[]): Promise<void> => {
  const calls = demoTraffic(deps.clock.now(), spenders.length, () => deps.random.unit());
  for (let at = 0; at < calls.length; at += BATCH) {
    await Promise.all(
      calls.slice(at, at + BATCH).map((call) => writeCall(deps, call, spenders[call.tokenIndex])),
    );
  }
};

const writeCall = async (deps: DemoDeps, call: DemoCall, spender: Spender | undefined): Promise<void> => {
  if (spender === undefined) return;
  const { owner, token } = spender;
  const price = priceOf(deps.routing(), call.model, owner.group, owner.group);
  const quotaUnits = quotaOf(price, call.usage) ?? 0;
  const id = `demo-${deps.random.alphanumeric(20)}`;
  const doneMs = call.atMs + call.useTimeMs;
  const held = await deps.ledger.hold({
    id,
    userId: owner.id,
    tokenId: token.id,
    quotaUnits: quotaUnits * 2,
    nowMs: call.atMs,
    expiresAtMs: doneMs + HOLD_MS,
  });
  if (held !== 'held') return;
  if (call.outcome === 'failed') {
    await deps.ledger.void(id, doneMs, failedLog(call, spender, id));
    return;
  }
  const log = answeredLog(deps, call, spender, price, quotaUnits, id);
  await deps.ledger.settle({ id, quotaUnits, nowMs: doneMs, log, writeLog: true });
};

const FAILED_ATTEMPT = { channel: 1, status: 503, ms: 120, error: 'upstream overloaded' };

const callLog = (call: DemoCall, { owner, token }: Spender, requestId: string) => ({
  requestId,
  createdAtMs: call.atMs,
  userId: owner.id,
  username: owner.username,
  tokenId: token.id,
  tokenName: token.name,
  group: owner.group,
  model: call.model,
  isStream: call.isStream,
  ip: '127.0.0.1',
});

const failedLog = (call: DemoCall, spender: Spender, requestId: string): CallLog => ({
  ...callLog(call, spender, requestId),
  type: logType.error,
  channelId: 2,
  usage: noUsage,
  quotaUnits: 0,
  useTimeMs: 260,
  content: 'upstream overloaded',
  other: JSON.stringify({
    error_type: 'server_error',
    error_code: 'upstream_failed',
    status_code: 503,
    admin_info: { use_channel: ['1', '2'], attempts: [FAILED_ATTEMPT, { ...FAILED_ATTEMPT, channel: 2 }] },
  }),
});

const answeredLog = (
  deps: DemoDeps,
  call: DemoCall,
  spender: Spender,
  price: Price,
  quotaUnits: number,
  requestId: string,
): CallLog => {
  const isRetried = call.outcome === 'retried';
  const channelId = isRetried || deps.random.unit() > 0.75 ? 2 : 1;
  const answered = { channel: channelId, status: 200, ms: call.useTimeMs };
  const { factors } = price;
  return {
    ...callLog(call, spender, requestId),
    type: logType.consume,
    channelId,
    usage: call.usage,
    quotaUnits,
    useTimeMs: call.useTimeMs,
    content: `model ratio ${factors.modelRatio}, completion ratio ${factors.completionRatio}, group ratio ${factors.groupRatio}`,
    other: JSON.stringify({
      model_ratio: factors.modelRatio,
      completion_ratio: factors.completionRatio,
      model_price: factors.modelPrice,
      group_ratio: factors.groupRatio,
      user_group_ratio: factors.userGroupRatio,
      cache_tokens: call.usage.cacheReadTokens,
      cache_ratio: factors.cacheRatio,
      price_source: factors.source,
      price_steps: priceSteps(price, call.usage),
      usage: call.usage,
      frt: call.firstByteMs,
      admin_info: {
        use_channel: isRetried ? ['1', '2'] : [String(channelId)],
        attempts: isRetried ? [FAILED_ATTEMPT, answered] : [answered],
      },
    }),
  };
};
