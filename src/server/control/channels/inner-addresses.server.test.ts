import { expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { typedChannel } from '#core/channel/testing/channel.ts';
import { readConfig } from '../../config.ts';
import { startServer } from '../../main.ts';
import { startSmallUpstream } from '../../http/testing/small-upstream.ts';
import { setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

const KEY = 'sk-canary-channel-key';

it('without leave from the environment, no address inside the network is saved or asked', async () => {
  const upstream = await startSmallUpstream();
  const inner = temporaryFolder();
  const environment = { ...testEnvironment(inner.path), TOLLGATE_ALLOW_PRIVATE_UPSTREAMS: 'false' };
  const strict = await startServer(readConfig(environment), { log: keptLog() });
  const strictStage = await setStage(strict);
  const asRoot = strictStage.caller(await strictStage.session(await strictStage.person('root', role.root)));
  const before = upstream.requests.length;
  const addresses = [
    upstream.url,
    upstream.url.replace('127.0.0.1', 'localhost'),
    'http://[::1]:1',
    'http://169.254.169.254/latest',
    'http://0x7f000001',
    'http://10.0.0.1',
    'http://[::ffff:127.0.0.1]:1',
  ];
  for (const base_url of addresses) {
    const saved = await asRoot('/api/channel', {
      method: 'POST',
      body: { type: 1, name: 'one', key: KEY, models: 'gpt-small', base_url },
    });
    const asked = await asRoot('/api/channel/fetch_models', {
      method: 'POST',
      body: { base_url, type: 1, key: KEY },
    });
    expect([base_url, saved.success, asked.success]).toEqual([base_url, false, false]);
  }
  // Saved while it was allowed, asked when it is not any more.
  const row = await strict.parts.stores.channels.create([
    {
      ...typedChannel,
      name: 'old',
      baseUrl: upstream.url,
      createdAtMs: 0,
      keyMac: 'mac',
      encryptKey: (id) => strict.parts.stores.vault.encrypt(KEY, `channel:${id}`),
    },
  ]);
  await strict.parts.refreshRouting();
  expect((await asRoot(`/api/channel/test/${row[0]}`)).success).toBe(false);
  expect(upstream.requests.length).toBe(before);
  await strict.stop();
  await upstream.close();
  inner.remove();
});
