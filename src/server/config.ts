import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { z } from 'zod';
import { parseIpRange } from '#core/token/ip-list.ts';
import { parseServiceUrls, type ServiceUrls, WRONG_SERVICE_URLS } from './service-urls.ts';

/** One environment variable: its name, its parser, and its description for operators. */
interface Variable<Value> {
  readonly schema: z.ZodType<Value, string>;
  /** The default, as text. */
  readonly initial: string;
  readonly about: string;
}

const text = z.string().trim();
const integer = (min: number, max: number) =>
  text
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);
const filled = text.min(1, 'must not be empty');
const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((value) => value === 'true' || value === '1');
/** `pg` accepts addresses without a host, for sockets (`postgres://user@/name`), which URL parsers refuse. */
const isUrl = (url: string): boolean => url === '' || URL.canParse(url.replace('@/', '@socket/'));
/** Whether it names no database or a number: anything else would be read as number 0, without a word. */
const hasRedisNumber = (url: string): boolean =>
  url === '' || !URL.canParse(url) || /^(\/\d*)?$/.test(new URL(url).pathname + new URL(url).hash);
const databaseUrl = text
  .refine((url) => url === '' || /^postgres(ql)?:\/\//.test(url), 'must be empty or start with postgres://')
  .refine(isUrl, 'is not a whole address: postgres://user:password@host:5432/name');
const addresses = text
  .transform((list) =>
    list
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )
  .refine(
    (list) => list.every((item) => parseIpRange(item) !== undefined),
    'must be IP addresses or CIDR ranges, separated by commas',
  );

const variable = <Value>(
  initial: string,
  schema: z.ZodType<Value, string>,
  about: string,
): Variable<Value> => ({ initial, schema, about });

/** All variables. `docs/configuration.md` is this table. */
export const variables = {
  PORT: variable('3000', integer(0, 65_535), 'Port to listen on; 0 lets the system choose.'),
  HOST: variable('0.0.0.0', filled, 'Address to listen on. With `127.0.0.1` only this machine can connect.'),
  DATABASE_URL: variable(
    '',
    databaseUrl,
    'A PostgreSQL address (`postgres://user:password@host/name`). Empty: a SQLite file in the data directory.',
  ),
  REDIS_URL: variable(
    '',
    text
      .refine((url) => url === '' || /^rediss?:\/\//.test(url), 'must be empty or start with redis://')
      .refine(isUrl, 'is not a whole address: redis://host:6379')
      .refine(hasRedisNumber, 'may only have the number of a database behind the host: redis://host:6379/0'),
    'Redis or Valkey (`redis://host:6379`) that counts calls and searches and carries news for all nodes. Empty: each node counts alone.',
  ),
  TOLLGATE_DATA_DIR: variable(
    './data',
    filled,
    'Directory of the SQLite file and the master key. Created if missing.',
  ),
  TOLLGATE_MASTER_KEY: variable(
    '',
    text.refine((key) => key === '' || key.length >= 32, 'must have at least 32 characters'),
    'The key that encrypts secrets, at least 32 characters. Empty: read from the file below.',
  ),
  TOLLGATE_MASTER_KEY_FILE: variable(
    '',
    text,
    'File that holds the master key. Empty: `master.key` in the data directory, created at the first start.',
  ),
  TOLLGATE_NEW_MASTER_KEY: variable(
    '',
    text.refine((key) => key === '' || key.length >= 32, 'must have at least 32 characters'),
    'The key that `tollgate change-master-key` puts in place of the master key. Empty: a random one, where the key is in a file.',
  ),
  TRUSTED_PROXIES: variable(
    '',
    addresses,
    'Addresses or CIDR ranges of reverse proxies, separated by commas. Only their `X-Forwarded-For` and `X-Forwarded-Proto` count.',
  ),
  TOLLGATE_ALLOW_PRIVATE_UPSTREAMS: variable(
    'false',
    flag,
    'Lets channels reach loopback and private addresses, such as Ollama on this machine.',
  ),
  TOLLGATE_ALLOW_PRIVATE_WEBHOOKS: variable(
    'false',
    flag,
    'Lets every user have notices sent to loopback and private addresses: their webhooks, and those of their drawings.',
  ),
  TOLLGATE_ALLOW_PRIVATE_MAIL: variable(
    'false',
    flag,
    'Lets the mail server of the settings be on this machine or in this network, such as a relay beside Tollgate.',
  ),
  TOLLGATE_METRICS_TOKEN: variable(
    '',
    text.regex(
      /^[\x20-\x7e]*$/,
      'must have only the letters, digits and signs of ASCII: it is sent in a header',
    ),
    'Bearer token for `/metrics`. Empty: nobody may read it.',
  ),
  TOLLGATE_SERVICE_URLS: variable(
    '',
    text.transform((pairs, context) => {
      const urls = parseServiceUrls(pairs);
      if (urls !== undefined) return urls;
      context.addIssue({ code: 'custom', message: WRONG_SERVICE_URLS });
      return z.NEVER;
    }),
    'Addresses of outside services other than their own, as `name=url`, separated by commas (docs/configuration.md).',
  ),
  TOLLGATE_LOGIN_LIMIT_PER_ACCOUNT: variable(
    '5',
    integer(1, 1e9),
    'Attempts to sign in to one account from one address within 15 minutes; from all together, twenty times as many within an hour.',
  ),
  TOLLGATE_LOGIN_LIMIT_PER_ADDRESS: variable(
    '20',
    integer(1, 1e9),
    'Attempts to sign in from one address within 15 minutes.',
  ),
  TOLLGATE_REGISTER_LIMIT_PER_ADDRESS: variable(
    '5',
    integer(1, 1e9),
    'New accounts from one address within an hour.',
  ),
  TOLLGATE_SEARCH_LIMIT_PER_USER: variable('120', integer(1, 1e9), 'Searches of one user within a minute.'),
  TOLLGATE_API_LIMIT_PER_ADDRESS: variable(
    '3000',
    integer(1, 1e9),
    'Calls of the control plane from one address within 3 minutes. Relayed calls are not counted here.',
  ),
  TOLLGATE_CONNECTIONS_PER_ADDRESS: variable(
    '500',
    integer(1, 1e6),
    'Connections at once from one address, of IPv6 from one /64. `TRUSTED_PROXIES` are not counted, other proxies are one.',
  ),
  TOLLGATE_RELAYS: variable(
    '1',
    integer(0, 64),
    'Threads that relay calls on one port; 0: one for each core, as far as memory allows. More than one only on Linux and FreeBSD.',
  ),
  TOLLGATE_SHUTDOWN_SECONDS: variable(
    '60',
    integer(0, 3600),
    'How long running calls may continue after the server was asked to stop.',
  ),
  TOLLGATE_NODE_SILENCE_SECONDS: variable(
    '60',
    integer(1, 3600),
    'With several nodes on one PostgreSQL: a node that is silent for this long counts as dead, and the others close its calls.',
  ),
} as const;

type Variables = typeof variables;
type Name = keyof Variables;

/** The parsed configuration, with every default filled in. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Empty for SQLite in the data directory. */
  readonly databaseUrl: string;
  /** Empty if each node counts for itself. */
  readonly redisUrl: string;
  readonly dataDir: string;
  /** Empty if it is in a file. */
  readonly masterKey: string;
  /** Empty for `master.key` in the data directory. */
  readonly masterKeyFile: string;
  /** Empty for a random one. */
  readonly newMasterKey: string;
  readonly trustedProxies: readonly string[];
  readonly allowPrivateUpstreams: boolean;
  readonly allowPrivateWebhooks: boolean;
  readonly allowPrivateMail: boolean;
  readonly metricsToken: string | undefined;
  readonly serviceUrls: ServiceUrls;
  readonly loginLimitPerAccount: number;
  readonly loginLimitPerAddress: number;
  readonly registerLimitPerAddress: number;
  readonly searchLimitPerUser: number;
  readonly apiLimitPerAddress: number;
  readonly connectionsPerAddress: number;
  /** The number of threads that relay calls. */
  readonly relays: number;
  readonly shutdownMs: number;
  /** A node counts as dead after this long without a sign of life. */
  readonly nodeSilenceMs: number;
}

/** An error in the environment, with a message for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The memory to allow for one relay under load; some of it is left for other programs. */
const MEMORY_OF_RELAY_BYTES = 512 * 1024 * 1024;

/** One for each usable core, as far as the usable memory allows. */
export const relaysFor = (cores: number, memoryBytes: number): number =>
  Math.min(64, Math.max(1, Math.min(cores, Math.floor(memoryBytes / MEMORY_OF_RELAY_BYTES))));

/** Whether this system distributes the connections of one port among all its listeners. */
export const canSharePort = (): boolean => process.platform === 'linux' || process.platform === 'freebsd';

/** A container may have less memory than the machine; without a limit node reports 0 or more than there is. */
const relaysOfMachine = (): number => {
  if (!canSharePort()) return 1;
  const allowed = process.constrainedMemory();
  return relaysFor(availableParallelism(), allowed > 0 ? Math.min(allowed, totalmem()) : totalmem());
};

/** Reads the environment. Throws a `ConfigError` that says which variable is wrong and why. */
export const readConfig = (
  environment: Readonly<Record<string, string | undefined>>,
  machine: { readonly relays: () => number } = { relays: relaysOfMachine },
): Config => {
  const read = <Key extends Name>(name: Key): z.output<Variables[Key]['schema']> => {
    const { initial, schema } = variables[name];
    const result = (schema as z.ZodType).safeParse(environment[name] ?? initial);
    if (result.success) return result.data as z.output<Variables[Key]['schema']>;
    throw new ConfigError(
      `The environment variable ${name} is wrong: ${result.error.issues[0]?.message ?? ''}.`,
    );
  };
  return {
    port: read('PORT'),
    host: read('HOST'),
    databaseUrl: read('DATABASE_URL'),
    redisUrl: read('REDIS_URL'),
    dataDir: read('TOLLGATE_DATA_DIR'),
    masterKey: read('TOLLGATE_MASTER_KEY'),
    masterKeyFile: read('TOLLGATE_MASTER_KEY_FILE'),
    newMasterKey: read('TOLLGATE_NEW_MASTER_KEY'),
    trustedProxies: read('TRUSTED_PROXIES'),
    allowPrivateUpstreams: read('TOLLGATE_ALLOW_PRIVATE_UPSTREAMS'),
    allowPrivateWebhooks: read('TOLLGATE_ALLOW_PRIVATE_WEBHOOKS'),
    allowPrivateMail: read('TOLLGATE_ALLOW_PRIVATE_MAIL'),
    metricsToken: read('TOLLGATE_METRICS_TOKEN') || undefined,
    serviceUrls: read('TOLLGATE_SERVICE_URLS'),
    loginLimitPerAccount: read('TOLLGATE_LOGIN_LIMIT_PER_ACCOUNT'),
    loginLimitPerAddress: read('TOLLGATE_LOGIN_LIMIT_PER_ADDRESS'),
    registerLimitPerAddress: read('TOLLGATE_REGISTER_LIMIT_PER_ADDRESS'),
    searchLimitPerUser: read('TOLLGATE_SEARCH_LIMIT_PER_USER'),
    apiLimitPerAddress: read('TOLLGATE_API_LIMIT_PER_ADDRESS'),
    connectionsPerAddress: read('TOLLGATE_CONNECTIONS_PER_ADDRESS'),
    relays: read('TOLLGATE_RELAYS') || machine.relays(),
    shutdownMs: read('TOLLGATE_SHUTDOWN_SECONDS') * 1000,
    nodeSilenceMs: read('TOLLGATE_NODE_SILENCE_SECONDS') * 1000,
  };
};

/** Reads the environment of this process; no other code reads it. */
export const configFromEnvironment = (): Config => readConfig(process.env);

/** Kubernetes sets these in every container beside a service that is named `tollgate`. */
const OF_A_SERVICE = /^TOLLGATE_(?:SERVICE_|PORT$|PORT_)/;

/** The variables that look like ours, though none of ours has the name: misspelled, most likely. */
export const unknownVariables = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(environment).filter(
    (name) => name.startsWith('TOLLGATE_') && !Object.hasOwn(variables, name) && !OF_A_SERVICE.test(name),
  );

/** Of this process. */
export const unknownInEnvironment = (): string[] => unknownVariables(process.env);

/** The version of this package. */
export const packageVersion = (): string =>
  z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version;
