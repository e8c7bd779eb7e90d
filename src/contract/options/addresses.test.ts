import { describe, expect, it } from 'vitest';
import { isOptionKey, optionRow, optionTable } from '../options.ts';

/** What people paste into the settings is an address that works, or is refused at once. */

const take = (key: string, text: string): unknown => {
  if (!isOptionKey(key)) throw new Error(`there is no option ${key}`);
  const read = optionRow(key).schema.safeParse(text);
  return read.success ? read.data : read.error.issues[0]?.message;
};
const addresses = Object.keys(optionTable)
  .filter(isOptionKey)
  .filter((key) => optionRow(key).kind === 'address');

describe.each(addresses)('%s', (key) => {
  it.each([
    'gate.example.com',
    'ftp://gate.example',
    'javascript:alert(1)',
    'http://',
    'https://gate.example:99999',
    'http://[::1',
    'https://gate.example\\evil',
    'https://user@gate.example',
    'https://gate.example/a b',
  ])('refuses %s', (text) => expect(take(key, text)).toBe('issue_http_address'));

  it('takes an address with spaces around it and a slash at its end', () => {
    expect(take(key, ' https://gate.example/ ')).toBe('https://gate.example');
    expect(take(key, 'http://[::1]:3000')).toBe('http://[::1]:3000');
  });
});

it.each(['ServerAddress', 'PayAddress', 'CustomCallbackAddress', 'WeChatServerAddress'])(
  '%s, to which paths are appended, is taken from the address bar',
  (key) => {
    for (const rest of ['/?from=mail', '/#/login', '?a=1#b'])
      expect(take(key, `https://gate.example${rest}`)).toBe('https://gate.example');
  },
);

it('the mail server is a host, and not an address with a scheme, a port or a path', () => {
  for (const text of ['smtp.example.com', 'mail_server', '127.0.0.1', '::1', 'münchen.example', ''])
    expect(take('SMTPServer', ` ${text} `)).toBe(text);
  for (const text of [
    'https://smtp.example.com',
    'smtp.example.com:587',
    'a b',
    'smtp.example.com/x',
    'a\nb',
  ])
    expect(take('SMTPServer', text)).toBe('issue_host');
});

it('the sender of mails is one address', () => {
  for (const text of ['gate@example.com', 'gate@localhost', 'gäte@münchen.example', ''])
    expect(take('SMTPFrom', ` ${text} `)).toBe(text);
  for (const text of [
    'gate',
    'Gate <gate@example.com>',
    'a@b.example,c@d.example',
    'a@b.example\r\nBcc: c@d.example',
  ])
    expect(take('SMTPFrom', text)).toBe('issue_email');
});
