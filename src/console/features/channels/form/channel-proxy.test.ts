import { expect, test } from 'vitest';
import { isProxy, withoutProxy, withProxy } from './channel-proxy.ts';

test('the proxy has its own field, and is saved in the settings it was read from', () => {
  const saved = '{"idle_timeout_ms":9000,"proxy":"socks5://operator:******@proxy.example:1080"}';
  const shown = withoutProxy(saved);
  expect(shown).toEqual({
    proxy: 'socks5://operator:******@proxy.example:1080',
    setting: '{\n  "idle_timeout_ms": 9000\n}',
  });
  expect(JSON.parse(withProxy(shown.setting, shown.proxy))).toEqual(JSON.parse(saved));
  expect(withoutProxy('{"proxy":"http://p.example:3128"}')).toEqual({
    proxy: 'http://p.example:3128',
    setting: '',
  });
});

test('settings without a proxy, and incomplete JSON, stay as typed', () => {
  for (const setting of ['', '{"idle_timeout_ms":9000}', '{"idle', '[1]'])
    expect(withProxy(withoutProxy(setting).setting, '')).toBe(setting);
  expect(withProxy('', ' http://p.example ')).toBe('{"proxy":"http://p.example"}');
});

test.each([
  ['', true],
  ['http://proxy.example', true],
  ['https://user:pass%40word@proxy.example:8443/', true],
  ['socks5://10.0.0.1:1080', true],
  ['SOCKS5H://[2001:db8::1]:1080', true],
  ['proxy.example:1080', false],
  ['socks4://proxy.example', false],
  ['http://', false],
  ['http://proxy.example/path', false],
  ['http://user:p@ss@proxy.example', false],
  ['http://proxy.example:port', false],
])('%s is a proxy: %s', (text, is) => {
  expect(isProxy(text)).toBe(is);
});
