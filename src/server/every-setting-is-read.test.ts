import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { initialOptions, optionTable, optionText, type OptionValues } from '#contract/options.ts';
import { meantOptions } from '#contract/options/testing/service-options.ts';
import { oauthNames } from '#contract/sign-in-services.ts';
import { settingSchema } from '#core/channel/channel-setting.ts';
import { parseChannel } from '#core/channel/parse-channel.ts';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import { PROXY_PASSWORD } from '#core/outbound/outbound-proxy.ts';
import { Secret } from '#core/secrets/secret.ts';
import { createSignInElsewhere } from './control/people/identities/sign-in-elsewhere.ts';
import { readUserSetting } from './control/people/user-setting.ts';
import { createIdentityProviders } from './oauth/services.ts';
import { parseServiceUrls } from './service-urls.ts';

/**
 * What can be set is read by something: it stands, as a name and not in a comment, in a file that is no test and is not
 * where settings are described, stored or entered. Options that are named by a table stand in no source: those count that
 * are asked for while the server does what they are for.
 */

const source = join(import.meta.dirname, '..');
const isShipped = (path: string): boolean => !/\.test\.|\/testing\//.test(path);
const codeOf = (path: string): string =>
  readFileSync(join(source, path), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    // What a function is given says nothing of what it reads.
    .replaceAll(/\bPick<[^>]*>/g, '');
const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: source })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(isShipped)
    .map((path) => ({ path, code: codeOf(path) }));

/** The demo fills in much that nobody reads there. */
const server = filesOf('server/**/*.ts').filter(({ path }) => !path.startsWith('server/demo/'));
const screens = filesOf('console/**/*.{ts,tsx}');

/** As a member, as the text of a key, or taken out of an object. */
const hasName = (code: string, name: string): boolean => {
  const word = name.replaceAll('.', '\\.');
  return new RegExp(`\\.${word}\\b|'${word}'|\\{[^{}]*\\b${word}\\b[^{}]*\\}\\s*[=:]`).test(code);
};
const readers = (files: typeof server, name: string, without: readonly string[]): readonly string[] => {
  // One that was moved would be left out no longer.
  for (const end of without)
    if (!server.some(({ path }) => path.endsWith(end))) throw new Error(`${end} is not there`);
  return files
    .filter(({ path, code }) => !without.some((end) => path.endsWith(end)) && hasName(code, name))
    .map(({ path }) => path);
};

const SITE = 'server/control/site/site.ts';
/** Where the first settings are made, and where the settings page says what stands where. */
const NOT_READERS = [SITE, 'control/site/setup.ts', 'api/site/setup.ts'];

/** The fields of the public status an option is told in. */
const told = (option: string): readonly string[] => {
  const code = server.find(({ path }) => path === SITE)?.code ?? '';
  const of = new RegExp(`(\\w+): [^\\n]*options(?:\\.|\\[')${option.replaceAll('.', '\\.')}\\b`, 'g');
  return [...code.matchAll(of)].map(([, field = '']) => field);
};

/** The options that are asked for while somebody goes away to sign in at a service. */
const askedBySigningIn = async (service: (typeof oauthNames)[number]): Promise<ReadonlySet<string>> => {
  const asked = new Set<string>();
  const values = new Proxy<OptionValues>(everythingOn, {
    get(target, key: string) {
      asked.add(key);
      return Reflect.get(target, key) as unknown;
    },
  });
  const options = () => values;
  const providers = createIdentityProviders({ options, sender: { send: noCall }, places });
  const identityAccounts = { enter: noCall, bind: noCall };
  const tickets = { put: () => Promise.resolve(), take: noCall };
  const clock = { now: () => 0, monotonic: () => 0 };
  const log = { warn: noCall };
  const signIn = createSignInElsewhere({ providers, identityAccounts, tickets, options, clock, log });
  await signIn.begin(service, '', {
    actor: undefined,
    askAgain: noCall,
    browser: undefined,
    origin: 'https://gateway.example',
  });
  return asked;
};
const noCall = (): never => {
  throw new Error('going away to sign in does not need this');
};
const places = parseServiceUrls('')!.signIn;

/** Every switch is on and every text filled in. */
const filledIn = (initial: unknown): unknown => {
  if (initial === '') return 'https://filled.example/in';
  return initial === false ? true : initial;
};

const everythingOn: OptionValues = Object.assign(
  {},
  initialOptions,
  Object.fromEntries(Object.entries(initialOptions).map(([key, value]) => [key, filledIn(value)])),
  // Otherwise the service would be asked where its pages are.
  { 'oidc.well_known': '' },
);

const asked = await Promise.all(oauthNames.map(askedBySigningIn));

it.each(Object.keys(optionTable))(
  'option %s is read by the server, or told to the console and read there',
  (key) => {
    const onServer = readers(server, key, NOT_READERS);
    const onScreens = told(key).flatMap((field) => readers(screens, field, []));
    const isAsked = asked.some((keys) => keys.has(key));
    expect([...onServer, ...onScreens, ...(isAsked ? ['signing in elsewhere'] : [])]).not.toEqual([]);
  },
);

const whole = {
  first_byte_timeout_ms: 5000,
  first_event_timeout_ms: 5000,
  whole_reply_timeout_ms: 5000,
  idle_timeout_ms: 5000,
  capacity: { calls_per_minute: 60 },
  cost: { factor: 1 },
  system_prompt: 'Be brief.',
  overrides: [{ op: 'delete', path: 'user' }],
  pass_through_body_enabled: true,
  proxy: 'http://127.0.0.1:9',
} as const;
const channel = parseChannel(
  channelRowOf(1, { setting: JSON.stringify(whole) }),
  () => new Secret('k'),
  () => '',
);

const { limits, ...others } = channel.setting;
const fields = { ...limits, ...others };

it('every field a `setting` may hold is in this test, and becomes a field of the channel', () => {
  const known = Object.keys(settingSchema.shape).filter((name) => name !== PROXY_PASSWORD);
  expect(Object.keys(whole)).toEqual(expect.arrayContaining(known));
  expect(Object.keys(fields)).toHaveLength(known.length);
});

const DESCRIBED = [
  'core/channel/channel.ts',
  'core/channel/parse-channel.ts',
  'store/channels/channel-store.ts',
];
it.each([...Object.keys(channel), ...Object.keys(fields)])('of a channel %s is read', (name) => {
  expect(readers(server, name, [...DESCRIBED, 'api/channels/channel-wire.ts'])).not.toEqual([]);
});

it.each(Object.keys(readUserSetting('')))('of the settings of a user %s is read', (name) => {
  const without = [
    'control/people/user-setting.ts',
    'api/people/personal.ts',
    'control/people/personal.ts',
    'own-choices.ts',
  ];
  expect(readers(server, name, without)).not.toEqual([]);
});

/** As docs/configuration.md writes what an option is at first; what is long stands in the settings alone. */
const shownInitial = (text: string): string => {
  if (text === 'true' || text === 'false') return text === 'true' ? 'on' : 'off';
  return text.length > 60 || text.includes('\n') ? 'a list' : text;
};

it('every option is in docs/configuration.md, those of its long table with what they are at first', () => {
  const page = readFileSync(join(source, '../docs/configuration.md'), 'utf8');
  const names = Object.keys(optionTable) as (keyof typeof optionTable)[];
  const written = new Set([...page.matchAll(/`([^`\n]+)`/g)].flatMap(([, name = '']) => meantOptions(name)));
  expect(names.filter((name) => !written.has(name))).toEqual([]);
  const rows = (page.split('## Every other option')[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| |`/g, '').trim()));
  expect(rows.length).toBeGreaterThan(100);
  const initial = new Map<string, string>(
    names.map((name) => [name, shownInitial(optionText(optionTable[name].initial))]),
  );
  const wrong = rows.filter(([name = '', first]) =>
    meantOptions(name).some((option) => initial.get(option) !== first),
  );
  expect(wrong).toEqual([]);
});
