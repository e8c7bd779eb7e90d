import { expect, it } from 'vitest';
import { readBrowserCookie, readSessionCookie, sessionCookie } from './session-cookie.ts';

it('over https only the cookie that nobody but the site can set is believed', () => {
  const planted = 'session=theirs; sign-in=theirs';
  const readBoth = (header: string, secure: boolean) => [
    readSessionCookie(header, { secure }),
    readBrowserCookie(header, { secure }),
  ];
  expect(readBoth(planted, true)).toEqual([undefined, undefined]);
  expect(readBoth(planted, false)).toEqual(['theirs', 'theirs']);
  const own = `${planted}; __Host-session=mine; __Host-sign-in=mine`;
  for (const secure of [true, false]) expect(readBoth(own, secure)).toEqual(['mine', 'mine']);
});

it('a removed session ends its cookie', () => {
  expect(sessionCookie(undefined, { secure: true })).toBe(
    '__Host-session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure',
  );
});
