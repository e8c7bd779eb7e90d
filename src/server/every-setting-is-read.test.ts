import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { optionTable } from '#contract/options.ts';
import { settingSchema } from '#core/channel/channel-setting.ts';
import { parseChannel } from '#core/channel/parse-channel.ts';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import { PROXY_PASSWORD } from '#core/outbound-proxy.ts';
import { Secret } from '#core/secret.ts';
import { readUserSetting } from './control/user-setting.ts';

/**
 * What can be set is read by something: it stands, as a name and not in a comment, in a file that is no test and is not
 * where settings are described, stored or entered.
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

const server = filesOf('server/**/*.ts');
const screens = filesOf('console/**/*.{ts,tsx}');

/** As a member, as the text of a key, or taken out of an object. */
const hasName = (code: string, name: string): boolean => {
  const word = name.replaceAll('.', '\\.');
  return new RegExp(`\\.${word}\\b|'${word}'|\\{[^{}]*\\b${word}\\b[^{}]*\\}\\s*[=:]`).test(code);
};
const readers = (files: typeof server, name: string, without: readonly string[]): readonly string[] =>
  files
    .filter(({ path, code }) => !without.some((end) => path.endsWith(end)) && hasName(code, name))
    .map(({ path }) => path);

const SITE = 'server/control/site.ts';
/** Where the first settings are made, and where the settings page says what stands where. */
const NOT_READERS = [SITE, 'control/setup.ts', 'api/setup.ts', 'control/demo.ts'];

/** The fields of the public status an option is told in. */
const told = (option: string): readonly string[] => {
  const code = server.find(({ path }) => path === SITE)?.code ?? '';
  const of = new RegExp(`(\\w+): [^\\n]*options(?:\\.|\\[')${option.replaceAll('.', '\\.')}\\b`, 'g');
  return [...code.matchAll(of)].map(([, field = '']) => field);
};

it.each(Object.keys(optionTable))(
  'option %s is read by the server, or told to the console and read there',
  (key) => {
    const onServer = readers(server, key, NOT_READERS);
    const onScreens = told(key).flatMap((field) => readers(screens, field, []));
    expect([...onServer, ...onScreens]).not.toEqual([]);
  },
);

const whole = {
  first_byte_timeout_ms: 5000,
  first_event_timeout_ms: 5000,
  whole_reply_timeout_ms: 5000,
  idle_timeout_ms: 5000,
  system_prompt: 'Be brief.',
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

const DESCRIBED = ['core/channel/channel.ts', 'core/channel/parse-channel.ts', 'store/channel-store.ts'];
it.each([...Object.keys(channel), ...Object.keys(fields)])('of a channel %s is read', (name) => {
  expect(readers(server, name, [...DESCRIBED, 'api/channel-wire.ts', 'control/demo.ts'])).not.toEqual([]);
});

it.each(Object.keys(readUserSetting({ id: 1, setting: '' }, { decrypt: (text) => text })))(
  'of the settings of a user %s is read',
  (name) => {
    const without = ['control/user-setting.ts', 'api/personal.ts', 'control/personal.ts', 'own-choices.ts'];
    expect(readers(server, name, without)).not.toEqual([]);
  },
);
