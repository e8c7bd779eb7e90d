import { expect, it } from 'vitest';
import { parseProxy } from './outbound-proxy.ts';

it.each([
  ['http://proxy.example:3128', 'http', 'proxy.example', 3128, '', '', 'http://proxy.example:3128'],
  ['HTTPS://Proxy.Example/', 'https', 'proxy.example', 443, '', '', 'https://proxy.example:443'],
  ['http://10.0.0.1', 'http', '10.0.0.1', 80, '', '', 'http://10.0.0.1:80'],
  [
    'socks5h://u:p%40ss%3A@[2001:db8::1]',
    'socks5',
    '2001:db8::1',
    1080,
    'u',
    'p@ss:',
    'socks5://u@[2001:db8::1]:1080',
  ],
  [
    ' socks5://only%20name@p.example:9 ',
    'socks5',
    'p.example',
    9,
    'only name',
    '',
    'socks5://only%20name@p.example:9',
  ],
] as const)(
  '%s is read, its address without the password',
  (text, scheme, host, port, username, password, address) => {
    const read = parseProxy(text);
    expect(read).toMatchObject({ scheme, host, port, username, address });
    expect(read?.password.reveal()).toBe(password);
    expect(JSON.stringify(read)).not.toContain(password === '' ? 'nothing' : password);
  },
);

it.each([
  '',
  'proxy.example:3128',
  'socks4://proxy.example',
  'ftp://proxy.example',
  'http://',
  'http://proxy.example/path',
  'http://proxy.example?x=1',
  'http://proxy.example:0',
  'http://proxy.example:99999',
  'http://:nameless@proxy.example',
  'http://u:%zz@proxy.example',
  `socks5://u:${'p'.repeat(256)}@proxy.example`,
  'http://a b@proxy.example',
])('%s is not a proxy address', (text) => {
  expect(parseProxy(text)).toBeUndefined();
});
