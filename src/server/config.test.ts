import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, relaysFor, unknownVariables, variables } from './config.ts';

/** `docs/configuration.md`'s table: name, default, meaning. */
const variableTable = (): string =>
  [
    '| Variable | Default | What it does |',
    '| --- | --- | --- |',
    ...Object.entries(variables).map(
      ([name, { initial, about }]) =>
        `| \`${name}\` | ${initial === '' ? 'empty' : `\`${initial}\``} | ${about} |`,
    ),
  ].join('\n');

describe('the environment', () => {
  it('has a working value for everything when nothing is set', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      databaseUrl: '',
      dataDir: './data',
      trustedProxies: [],
      allowPrivateUpstreams: false,
      shutdownMs: 60_000,
      nodeSilenceMs: 60_000,
    });
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['HOST', ''],
    ['DATABASE_URL', 'mysql://somewhere'],
    ['DATABASE_URL', 'postgres://u:p@:99999/x'],
    ['REDIS_URL', 'redis://h:99999'],
    ['REDIS_URL', 'redis://h/name'],
    ['REDIS_URL', 'redis://h/1/2'],
    ['REDIS_URL', 'redis://h#1'],
    ['TOLLGATE_METRICS_TOKEN', 'ключ'],
    ['TOLLGATE_SERVICE_URLS', 'github=https://h/?a=b'],
    ['TOLLGATE_SERVICE_URLS', 'github=https://h#a'],
    ['TOLLGATE_SERVICE_URLS', 'github=https://user:word@h'],
    ['TOLLGATE_SERVICE_URLS', 'github=https://h,github=https://other'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, nonsense'],
    ['TOLLGATE_ALLOW_PRIVATE_UPSTREAMS', 'yes'],
    ['TOLLGATE_LOGIN_LIMIT_PER_ACCOUNT', '0'],
  ])('refuses %s=%s in a sentence that names it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(
      new RegExp(`^The environment variable ${name} is wrong: .+\\.$`),
    );
  });

  it('names variables that look like ours and are none, but for those of a Kubernetes service', () => {
    const environment = {
      TOLLGATE_DATA_DIR: '/data',
      TOLLGATE_DATADIR: '/data',
      TOLLGATE_SERVICE_URLS: '{}',
      TOLLGATE_SERVICE_HOST: '10.0.0.1',
      TOLLGATE_PORT: 'tcp://10.0.0.1:3000',
      TOLLGATE_PORT_3000_TCP_ADDR: '10.0.0.1',
      PATH: '/bin',
    };
    expect(unknownVariables(environment)).toEqual(['TOLLGATE_DATADIR']);
  });

  it('has as many relays as told, or as the machine has cores and memory for, and never none', () => {
    const machine = { relays: () => 5 };
    expect(readConfig({}, machine).relays).toBe(1);
    expect(readConfig({ TOLLGATE_RELAYS: '3' }, machine).relays).toBe(3);
    expect(readConfig({ TOLLGATE_RELAYS: '0' }, machine).relays).toBe(5);
    expect(() => readConfig({ TOLLGATE_RELAYS: '65' })).toThrow('must be from 0 to 64');
    const GIB = 2 ** 30;
    expect([relaysFor(2, 24 * GIB), relaysFor(16, 4 * GIB), relaysFor(4, GIB / 4)]).toEqual([2, 8, 1]);
    expect([relaysFor(1, 24 * GIB), relaysFor(500, 1000 * GIB)]).toEqual([1, 64]);
  });

  it('takes the addresses pg knows: sockets, sets of options, no host', () => {
    for (const url of ['postgres://', 'postgres://u:p@/name?host=/run/postgres', 'postgres://u@h:5432/n?a=b'])
      expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it('takes the number of a database of Redis, and options behind it', () => {
    for (const url of ['redis://h', 'redis://h/', 'rediss://u:p@h:6379/3', 'redis://h/0?family=6'])
      expect(readConfig({ REDIS_URL: url }).redisUrl).toBe(url);
  });

  it('reads lists and switches', () => {
    expect(
      readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1', TOLLGATE_ALLOW_PRIVATE_UPSTREAMS: '1' }),
    ).toMatchObject({
      trustedProxies: ['10.0.0.0/8', '::1'],
      allowPrivateUpstreams: true,
    });
  });

  it('is documented whole and exactly in docs/configuration.md', () => {
    const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
    expect(page).toContain(variableTable());
    expect(Object.keys(variables).length).toBe(
      page.split('\n').filter((line) => /^\| `[A-Z_]+` /.test(line)).length,
    );
  });
});
