import { userOf } from '../user/testing/user.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../error.ts';
import type { User } from '../user/user.ts';
import { admitChannelChoice, admitModel, admitToken } from './admission.ts';
import { groupsOf } from './groups.ts';
import { parseIpList } from './ip-list.ts';
import { parseRelayKey, sentKey } from './relay-key.ts';
import { initialTokenSettings, type Token } from './token.ts';

const owner = userOf();
const token: Token = {
  id: 1,
  userId: 1,
  name: 't',
  status: 1,
  createdAtMs: 0,
  accessedAtMs: 0,
  heldUnits: 0,
  usedQuotaUnits: 0,
  ...initialTokenSettings,
  remainQuotaUnits: 0,
};

const refusal = (run: () => unknown): readonly [number, string] => {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof AppError) return [thrown.status, thrown.message];
    throw thrown;
  }
  return [200, ''];
};

const admit = (
  changes: Partial<Token>,
  user: Partial<User> = {},
  ip = '1.2.3.4',
): readonly [number, string] =>
  refusal(() => {
    admitToken(
      { ...token, ...changes },
      { ...owner, ...user },
      parseIpList(changes.allowIps ?? ''),
      ip,
      1000,
    );
  });

describe('a token is let in', () => {
  test('or refused with the status and sentence for its fault', () => {
    expect(admit({})).toEqual([200, '']);
    expect(admit({ status: 2 })).toEqual([401, 'invalid or expired token']);
    expect(admit({ status: 3 })).toEqual([401, 'invalid or expired token']);
    expect(admit({ expiresAtMs: 1000 })).toEqual([401, 'invalid or expired token']);
    expect(admit({ expiresAtMs: 1001 })).toEqual([200, '']);
    expect(admit({ status: 4 })).toEqual([403, 'insufficient token quota']);
    expect(admit({}, { status: 2 })).toEqual([403, 'user banned']);
    expect(admit({}, { deletedAtMs: 5 })).toEqual([403, 'user banned']);
    expect(admit({ allowIps: '9.9.9.9' })).toEqual([403, 'your address is not on the list of this token']);
  });

  test('for the models of its list only, by their whole name', () => {
    const limited = { ...token, modelLimitsEnabled: true, modelLimits: ['gpt-4o'] };
    expect(refusal(() => admitModel(limited, 'gpt-4o'))[0]).toBe(200);
    expect(refusal(() => admitModel(limited, 'gpt-4o-mini'))).toEqual([
      403,
      'this token may not use model gpt-4o-mini',
    ]);
    expect(refusal(() => admitModel({ ...limited, modelLimitsEnabled: false }, 'x'))[0]).toBe(200);
  });

  test('with a channel of its choice for administrators only', () => {
    expect(refusal(() => admitChannelChoice(owner, 7))).toEqual([
      403,
      'regular users cannot specify channels',
    ]);
    expect(refusal(() => admitChannelChoice({ ...owner, role: 10 }, 7))[0]).toBe(200);
    expect(refusal(() => admitChannelChoice(owner, undefined))[0]).toBe(200);
  });
});

describe('the list of addresses', () => {
  test.each([
    ['1.2.3.4', '1.2.3.4', true],
    ['1.2.3.4', '1.2.3.5', false],
    ['10.0.0.0/8', '10.255.1.2', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['1.2.3.4', '::ffff:1.2.3.4', true],
    ['::ffff:10.0.0.0/104', '10.1.1.1', true],
    ['::ffff:0.0.0.0/96', '10.1.1.1', true],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8::1', '2001:0db8:0:0::1', true],
    ['5.5.5.5, 1.2.3.4', '1.2.3.4', true],
    ['5.5.5.5\n 1.2.3.4 ', '1.2.3.4', true],
    ['', '1.2.3.4', true],
    ['office', '1.2.3.4', false],
    ['0.0.0.0/0', '2001:db8::1', false],
  ])('%j holds %s: %s', (list, ip, expected) => {
    expect(parseIpList(list)(ip)).toBe(expected);
  });

  test('never matches what is not an address', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseIpList('1.2.3.4')(`${text}!`)).toBe(false);
      }),
    );
  });
});

describe('a key', () => {
  test.each([
    ['Bearer sk-abc', 'abc', undefined],
    ['bearer sk-abc', 'abc', undefined],
    ['sk-abc', 'abc', undefined],
    ['abc', 'abc', undefined],
    ['Bearer sk-abc-12', 'abc', 12],
    ['Bearer abc-x', 'abc', Number.NaN],
  ])('%j is read', (sent, key, channelId) => {
    expect(parseRelayKey(sent)).toEqual({ key, channelId });
  });

  test.each([['-12'], ['Bearer sk--12'], ['x'.repeat(300)]])('%j is refused like an unknown one', (sent) => {
    expect(refusal(() => parseRelayKey(sent))).toEqual([401, 'invalid or expired token']);
  });

  test.each([[undefined], [''], ['Bearer'], ['Bearer '], ['bearer sk-'], ['sk-']])(
    '%j is no key, and the refusal says so without mentioning one',
    (sent) => {
      expect(refusal(() => parseRelayKey(sent))).toEqual([401, 'invalid or expired token: no key was sent']);
    },
  );

  test('is found in each of the four places, the first that holds one', () => {
    expect(sentKey({ authorization: 'Bearer a', 'x-api-key': 'b' }, 'd')).toBe('Bearer a');
    expect(sentKey({ authorization: '', 'x-api-key': 'b', 'x-goog-api-key': 'c' }, 'd')).toBe('b');
    expect(sentKey({ 'x-goog-api-key': 'c' }, 'd')).toBe('c');
    expect(sentKey({}, 'd')).toBe('d');
    expect(sentKey({}, undefined)).toBeUndefined();
  });
});

describe('the groups of a call', () => {
  const options = {
    GroupRatio: { default: 1, vip: 1, svip: 1 },
    UserUsableGroups: { default: '', vip: '', gone: '' },
    AutoGroups: ['svip', 'vip', 'default', 'gone'],
    'group_setting.former_names': { silver: 'svip', vip: 'svip', lost: 'gone' },
  };

  test('are the own one unless another is chosen, and it must be open and exist', () => {
    expect(groupsOf(options, 'default', '')).toEqual(['default']);
    expect(groupsOf(options, 'svip', '')).toEqual(['svip']);
    expect(groupsOf(options, 'default', 'vip')).toEqual(['vip']);
    expect(refusal(() => groupsOf(options, 'default', 'svip'))).toEqual([
      403,
      'group svip is not open to you',
    ]);
    expect(refusal(() => groupsOf(options, 'default', 'gone'))).toEqual([403, 'group gone no longer exists']);
    expect(refusal(() => groupsOf(options, 'default', 'toString'))).toEqual([
      403,
      'group toString is not open to you',
    ]);
  });

  test('of auto are those the user may use, in the order of the option', () => {
    expect(groupsOf(options, 'default', 'auto')).toEqual(['vip', 'default']);
    expect(groupsOf(options, 'svip', 'auto')).toEqual(['svip', 'vip', 'default']);
    expect(refusal(() => groupsOf({ ...options, AutoGroups: ['svip'] }, 'default', 'auto'))[0]).toBe(403);
  });
});
