import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initialOptions, type OptionValues } from '../../src/contract/options.ts';
import { buildRouting } from '../../src/server/core/channel/testing/build-routing.ts';
import type { ChannelRow } from '../../src/server/core/channel/channel.ts';
import { channelRowOf } from '../../src/server/core/channel/testing/channel.ts';
import type { Ledger } from '../../src/server/core/ledger/ledger.ts';
import { Secret } from '../../src/server/core/secrets/secret.ts';
import { unlimitedToken } from '../../src/server/core/token/testing/unlimited-token.ts';
import type { TokenStore } from '../../src/server/core/token/token-store.ts';
import type { UserStore } from '../../src/server/core/user/user-store.ts';
import type { Vault } from '../../src/server/core/secrets/vault.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { plainWires } from '../../src/server/dialects/plain-wires.ts';
import { createFarThreads } from '../../src/server/compose/far-threads.ts';
import { createFrontDoor } from '../../src/server/http/door/front-door.ts';
import { createMetrics } from '../../src/server/http/site/metrics.ts';
import { RelayBodies } from '../../src/server/http/bodies/relay-body.ts';
import { createMemoryModelRateLimiter } from '../../src/server/limits/model-rate.ts';
import { WindowCounter } from '../../src/server/limits/window-counter.ts';
import { readUpstreamError } from '../../src/server/dialects/openai/error.ts';
import { createSocketConnector } from '../../src/server/outbound/connect-socket.ts';
import { addressGuard } from '../../src/server/outbound/outbound-guard.ts';
import { providerOf } from '../../src/server/providers/registry.ts';
import { createSender } from '../../src/server/outbound/send.ts';
import type { Upstream } from '../../src/server/dialects/upstream.ts';
import { AnswerRoom } from '../../src/server/relay/answer/answer-room.ts';
import { createRelay } from '../../src/server/relay/create-relay.ts';
import { createAvailabilityStore } from '../../src/server/store/logs/availability-store.ts';
import { createBoundSessionStore } from '../../src/server/store/channels/bound-session-store.ts';
import { createEvidenceStore } from '../../src/server/store/logs/evidence-store.ts';
import { createHouseCostStore } from '../../src/server/store/logs/sums/house-cost-store.ts';
import { createLogStore } from '../../src/server/store/logs/log-store.ts';
import { createBackgroundResponseStore } from '../../src/server/store/tasks/background-response-store.ts';
import { createKeptResponseStore } from '../../src/server/store/tasks/kept-response-store.ts';
import { type Database, openDatabase } from '../../src/server/store/database/database.ts';
import { createLedger } from '../../src/server/store/ledger/ledger.ts';
import { createTokenStore } from '../../src/server/store/people/token-store.ts';
import { createUserStore } from '../../src/server/store/people/user-store.ts';
import { putMigratedFile } from '../../src/server/store/testing/migrated-file.ts';
import { proveRows } from '../../src/server/store/testing/prove-rows.ts';
import { openVault } from '../../src/server/store/vault/vault.ts';
import { createJsonLog, systemClock as clock, systemRandom as random } from '../../src/server/system.ts';

/** The key of the rig's channels: no output may ever contain it. */
export const UPSTREAM_KEY = 'sk-upstreamsecret0123456789abcdef';

export interface RigChannel extends Partial<Omit<ChannelRow, 'baseUrl'>> {
  readonly baseUrl: string;
}

const channelRow = (channel: RigChannel, id: number): ChannelRow =>
  channelRowOf(id, { name: `channel ${String(id)}`, ...channel });

/** Input and output at ratio 1: a token is a unit. */
const PRICES: Partial<OptionValues> = {
  ModelRatio: { m: 1 },
  CompletionRatio: { m: 1 },
  PreConsumedQuota: 0,
};

const nobody = (_: unknown, response: { writeHead(status: number): { end(): void } }): void =>
  void response.writeHead(404).end();

type Stores = {
  readonly users: UserStore;
  readonly tokens: TokenStore;
  readonly ledger: Ledger;
  readonly vault: Vault;
};

/** A user with a balance and an unlimited token. */
const seedCaller = async ({ users, tokens, ledger, vault }: Stores, quotaUnits: number) => {
  const userId = await users.createFirst({
    username: 'u',
    displayName: 'u',
    email: '',
    passwordHash: 'x',
    role: 1,
    group: 'default',
    affCode: 'a',
    inviterId: 0,
    createdAtMs: 1,
  });
  if (userId === 'taken') throw new Error('the database is not new');
  const grant = { kind: 'grant', ref: 'start', reason: 'start', actorId: 0, nowMs: 1 } as const;
  await ledger.move({ ...grant, userId, deltaUnits: quotaUnits });
  const key = random.alphanumeric(48);
  const sealed = { mac: vault.mac(key), encrypted: vault.encrypt(key, 'token:1') };
  await tokens.create([{ ...unlimitedToken, userId, name: 't', key: sealed, createdAtMs: 1 }], 10);
  return { userId, key };
};

const openStores = async (dataDir: string) => {
  const file = join(dataDir, 'tollgate.db');
  await putMigratedFile(file);
  const database = await openDatabase({ engine: 'sqlite', file });
  return {
    database,
    vault: await openVault(database, { keyFile: join(dataDir, 'master.key') }),
    ledger: createLedger(database),
    users: createUserStore(database),
    tokens: createTokenStore(database),
    houseCosts: createHouseCostStore(database),
    evidence: createEvidenceStore(database),
    boundSessions: createBoundSessionStore(database),
    availability: createAvailabilityStore(database),
    keptResponses: createKeptResponseStore(database),
    backgroundResponses: createBackgroundResponseStore(database),
  };
};

/** What a test can inspect behind the gateway. */
const insights = ({ users, database }: Awaited<ReturnType<typeof openStores>>, userId: number) => ({
  balance: async () => {
    const user = await users.byId(userId);
    return { left: user?.quotaUnits ?? 0, used: user?.usedQuotaUnits ?? 0, calls: user?.requestCount ?? 0 };
  },
  logs: () => database.writer.selectFrom('logs').selectAll().orderBy('id').execute(),
  openHolds: async () =>
    (await database.writer.selectFrom('holds').select('id').where('state', '=', 'open').execute()).length,
});

const routingOf = (channels: readonly RigChannel[], options: Partial<OptionValues>) =>
  buildRouting({
    version: 1,
    priceVersion: 1,
    rows: channels.map((channel, index) => channelRow(channel, index + 1)),
    catalogue: { find: () => undefined },
    options: { ...initialOptions, ...PRICES, ...options },
    // A test's channel may have its own key, unencrypted.
    openKey: ({ encryptedKey }) => new Secret(encryptedKey === '' ? UPSTREAM_KEY : encryptedKey),
  });

const doorDeps = {
  clock,
  random,
  site: () => nobody,
  trustedProxies: [],
  connectionsPerAddress: 1000,
};

const closeProven = async (database: Database): Promise<void> => {
  try {
    await proveRows(database);
  } finally {
    await database.close();
  }
};

interface Disabled {
  readonly id: number;
  readonly reason: string;
}

const notedIn = (disabled: Disabled[]) => ({
  autoDisable: (id: number, reason: string) => void disabled.push({ id, reason }),
  seen: () => {},
  keyRefused: () => undefined,
  keyWorks: () => undefined,
  takeKeyTrial: () => Promise.resolve(false),
  soldBelowCost: () => {},
});

/** The gateway in this process, on a real database, with channels and options as given. */
export const startRig = async (
  channels: readonly RigChannel[],
  options: Partial<OptionValues> = {},
  quotaUnits = 1_000_000_000,
  upstreamOf: (type: number) => Upstream | undefined = providerOf,
  answers = new AnswerRoom(),
) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-rig-'));
  const stores = await openStores(dataDir);
  const { database, ledger, users } = stores;
  const { userId, key } = await seedCaller(stores, quotaUnits);
  const logged: string[] = [];
  const disabled: Disabled[] = [];
  const metrics = createMetrics();
  const sender = createSender({ clock, allowAddress: addressGuard({ allowPrivate: true }) });
  const routing = routingOf(channels, options);
  const log = createJsonLog((line) => void logged.push(line), clock.now);
  const relay = createRelay({
    ...stores,
    logs: createLogStore(database),
    routing: () => routing,
    upstreamOf,
    answers,
    sender,
    farThreads: createFarThreads(),
    connectSocket: createSocketConnector({
      allowAddress: addressGuard({ allowPrivate: true }),
      readRefusal: readUpstreamError,
    }),
    clock,
    random,
    log,
    metrics: metrics.relay,
    dialects: chatDialects,
    wires: plainWires,
    modelRates: createMemoryModelRateLimiter(),
    wrongKeys: new WindowCounter(),
    channels: notedIn(disabled),
    playgroundUser: async () => (await users.byId(userId)) ?? Promise.reject(new Error('no user')),
  });
  const bodies = new RelayBodies();
  const door = createFrontDoor({ ...doorDeps, relay, log, bodies });
  const url = `http://127.0.0.1:${String(await door.listen(0, '127.0.0.1'))}`;
  return {
    url,
    key: `sk-${key}`,
    userId,
    database,
    ledger,
    logged,
    disabled,
    relay,
    metrics,
    bodies,
    answers,
    ...insights(stores, userId),
    stopTaking: (graceMs: number) => door.stop(graceMs),
    /** Throws if a charge is not proven by its row. */
    async stop() {
      await door.stop(0);
      await sender.close();
      await ledger.close();
      metrics.close();
      await closeProven(database);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

export type Rig = Awaited<ReturnType<typeof startRig>>;

/** One chat call; `body` over a short default. */
export const chat = (
  rig: Rig,
  body: Readonly<Record<string, unknown>> = {},
  init: RequestInit = {},
): Promise<Response> =>
  fetch(`${rig.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: 'hello' }],
      max_tokens: 100,
      ...body,
    }),
    ...init,
  });
