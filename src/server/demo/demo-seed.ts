import { MADE_PASSWORD_LENGTH } from '#contract/limits.ts';
import { role } from '#contract/codes.ts';
import type { AvailabilityStore } from '#core/availability/availability.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import { initialTokenSettings } from '#core/token/token.ts';
import type { User } from '#core/user/user.ts';
import type { Channels } from '../control/channels/channels.ts';
import { availabilityOf, type DemoCallDeps, type Spender, writeCall } from './demo-calls.ts';
import { demoChannels, demoRates, DRAWING_TYPE, MUSIC_TYPE } from './demo-channels.ts';
import { ageKeys, type DemoKeyDeps } from './demo-keys.ts';
import { demoTraffic, EARLIER_DAYS, earlierTraffic } from './demo-traffic.ts';
import { type DemoPeopleDeps, makePerson, seedPeople } from './demo-people.ts';
import type { Happening, Story } from './demo-story.ts';
import { type DemoPriceDeps, seedPrices } from './demo-prices.ts';
import { type DemoPayments, type DemoWalletDeps, seedWallet } from './demo-wallet.ts';
import { type DemoTaskDeps, seedSightings, seedTasks } from './demo-tasks.ts';
import type { Passwords } from '../control/people/sign-in/passwords.ts';
import type { Tokens } from '../control/people/tokens.ts';
import type { UsageLinks } from '../control/people/usage-links.ts';
import { DAY_MS } from '#core/time/spans.ts';

const ROOT_QUOTA_UNITS = 100_000_000;
const USER_QUOTA_UNITS = 25_000_000;
/** How long ago the site was set up: before the first call. */
const OPENED_AGO_MS = (EARLIER_DAYS + 1) * DAY_MS;
const BATCH = 60;

export interface DemoDeps
  extends DemoPeopleDeps, DemoWalletDeps, DemoTaskDeps, DemoCallDeps, DemoKeyDeps, DemoPriceDeps {
  readonly story: Story;
  readonly passwords: Passwords;
  readonly options: OptionStore;
  readonly availability: Pick<AvailabilityStore, 'add'>;
  readonly channels: Channels;
  readonly tokens: Tokens;
  readonly usageLinks: Pick<UsageLinks, 'create'>;
  readonly ledger: Ledger;
  readonly refreshRouting: () => Promise<void>;
}

/** The accounts to sign in with. */
export interface DemoAccounts {
  readonly root: { readonly username: string; readonly password: string };
  readonly user: { readonly username: string; readonly password: string };
  /** A relay key of the user, with its `sk-` prefix. */
  readonly key: string;
}

/**
 * Fills an empty server with something for every page: two accounts to sign in with and other users, channels that lead
 * to the fake upstream, tokens, a week of calls, each charged like a real one, changed prices, and an earlier month
 * with its statements.
 */
export const seedDemo = async (
  deps: DemoDeps,
  upstreamUrl: string,
  payments?: DemoPayments,
): Promise<DemoAccounts> => {
  const { story } = deps;
  const root = { username: 'root', password: deps.random.alphanumeric(MADE_PASSWORD_LENGTH) };
  const user = { username: 'alice', password: deps.random.alphanumeric(MADE_PASSWORD_LENGTH) };
  const happenings: Happening[] = [];
  const spenders = await story.at(OPENED_AGO_MS, async () => {
    const rootUser = await enterable(deps, root, role.root, ROOT_QUOTA_UNITS);
    const aliceUser = await enterable(deps, user, role.user, USER_QUOTA_UNITS);
    await openSite(deps, rootUser, upstreamUrl);
    const unknown = await deps.passwords.hash(deps.random.alphanumeric(32));
    const people = await seedPeople(deps, { root: rootUser, alice: aliceUser }, unknown);
    const wallet = { root: rootUser, user: aliceUser, customers: people.customers };
    happenings.push(
      ...people.later,
      ...(await seedWallet(deps, wallet, payments)),
      ...seedPrices(deps, rootUser),
    );
    await deps.refreshRouting();
    return makeTokens(deps, aliceUser, rootUser, people.customers);
  });
  const [first] = spenders;
  if (first !== undefined) happenings.push(linkOf(deps, first));
  if (first !== undefined) happenings.push(...tasksOf(deps, first, upstreamUrl));
  await story.tell([...happenings, ...traffic(deps, spenders)]);
  await story.at(0, () => seedSightings(deps, 1));
  await story.at(0, () => ageKeys(deps));
  await deps.refreshRouting();
  return { root, user, key: `sk-${first?.token.key ?? ''}` };
};

const openSite = async (deps: DemoDeps, root: User, upstreamUrl: string): Promise<void> => {
  const nowMs = deps.clock.now();
  await deps.options.set('SystemName', 'Tollgate demo', nowMs);
  await deps.options.set('RetryTimes', '2', nowMs);
  await deps.options.set('cost_setting.currency_rates', JSON.stringify(demoRates), nowMs);
  await deps.options.set('availability_setting.enabled', 'true', nowMs);
  // The least there may be: the demo has few callers, and its bars would be gray.
  await deps.options.set('availability_setting.least_calls', '5', nowMs);
  await deps.options.set('availability_setting.least_callers', '2', nowMs);
  // The catalogue prices the chat models; this model shows a price that an operator has set.
  await deps.options.set('ModelRatio', '{"text-embedding-3-small":0.01}', nowMs);
  for (const channel of demoChannels(upstreamUrl))
    await deps.channels.create(root, channel, channel.key.includes('\n') ? 'least_used' : undefined);
  await deps.refreshRouting();
};

/** Drawings and music. */
const tasksOf = (deps: DemoDeps, { owner, token }: Spender, upstreamUrl: string): Happening[] => {
  const idOf = (type: number): number =>
    [...deps.routing().channels.values()].find((channel) => channel.type === type)?.id ?? 0;
  const maker = { owner, tokenId: token.id, tokenName: token.name };
  return seedTasks(deps, maker, { drawing: idOf(DRAWING_TYPE), music: idOf(MUSIC_TYPE) }, upstreamUrl);
};

const enterable = async (
  deps: DemoDeps,
  { username, password }: { readonly username: string; readonly password: string },
  rank: number,
  quotaUnits: number,
): Promise<User> => {
  const passwordHash = await deps.passwords.hash(password);
  return makePerson(deps, { username, displayName: username, passwordHash, role: rank, quotaUnits });
};

/** The first token has a usage link. */
const linkOf = ({ usageLinks }: DemoDeps, { owner, token }: Spender): Happening => ({
  agoMs: 3 * DAY_MS,
  happen: () => usageLinks.create(owner, owner, { tokenId: token.id, note: 'Accounting', expiresAtMs: null }),
});

const makeTokens = async (
  deps: DemoDeps,
  alice: User,
  root: User,
  customers: readonly User[],
): Promise<Spender[]> => {
  const wish = { ...initialTokenSettings, remainQuotaUnits: 10_000_000 };
  const make = async (
    owner: User,
    own: Partial<typeof wish> & { readonly name: string },
  ): Promise<Spender[]> =>
    (await deps.tokens.create(owner, { ...wish, ...own }, 1)).map((token) => ({
      owner,
      token,
    }));
  return [
    ...(await make(alice, { name: 'website', unlimited: true, tag: 'shop' })),
    ...(await make(alice, { name: 'notebook', unlimited: false, tag: 'research' })),
    ...(await make(root, { name: 'operations', unlimited: true })),
    ...(
      await Promise.all(customers.map((customer) => make(customer, { name: 'app', unlimited: true })))
    ).flat(),
  ];
};

/** A month with few calls, then a week with many. Calls are committed in batches. */
const traffic = (deps: DemoDeps, spenders: readonly Spender[]): Happening[] => {
  const nowMs = deps.story.at(0, () => deps.clock.now());
  const dice = (): number => deps.random.unit();
  const calls = [
    ...earlierTraffic(nowMs, spenders.length, dice),
    ...demoTraffic(nowMs, spenders.length, dice),
  ];
  const happenings: Happening[] = [];
  for (let at = 0; at < calls.length; at += BATCH) {
    const batch = calls.slice(at, at + BATCH);
    happenings.push({
      agoMs: nowMs - (batch.at(-1)?.atMs ?? nowMs),
      happen: () =>
        Promise.all([
          ...batch.map((call) => writeCall(deps, call, spenders[call.tokenIndex])),
          deps.availability.add(availabilityOf(batch, spenders)),
        ]),
    });
  }
  return happenings;
};
