import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { optionRow, optionTable, isOptionKey } from '#contract/options.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

const folder = temporaryFolder();
const log = keptLog();
let server: RunningServer;
let stage: Stage;
let call: Caller;

beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log });
  stage = await setStage(server);
  call = stage.caller(await stage.session(await stage.person('root', role.root)));
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const put = (key: string, value: unknown) => call('/api/option/', { method: 'PUT', body: { key, value } });
const listed = async (): Promise<Map<string, string>> => {
  const rows = (await call('/api/option/')).data as { key: string; value: string }[];
  return new Map(rows.map((row) => [row.key, row.value]));
};

describe('options', () => {
  const keys = Object.keys(optionTable).filter(isOptionKey);

  it('every one but the secrets is listed, secrets only by whether they are set', async () => {
    const secrets = keys.filter((key) => optionRow(key).secret === true);
    expect(secrets.length).toBeGreaterThan(8);
    expect([...(await listed()).keys()].toSorted()).toEqual(
      keys.filter((key) => !secrets.includes(key)).toSorted(),
    );
    expect(keys.filter((key) => /(Token|Secret|Key|secret)$/.test(key) && !secrets.includes(key))).toEqual([
      'TurnstileSiteKey',
    ]);
  });

  it('a secret is written, sealed, used, and never read back', async () => {
    expect((await put('GitHubClientSecret', 'canary-of-a-secret')).success).toBe(true);
    const answer = await call('/api/option/');
    expect(answer.text).not.toContain('canary-of-a-secret');
    expect(JSON.parse(answer.text)).toMatchObject({ secrets_set: ['GitHubClientSecret'] });
    const stored = await server.parts.stores.options.all();
    expect(stored.get('GitHubClientSecret')).not.toContain('canary');
    expect(server.parts.routing().options.GitHubClientSecret).toBe('canary-of-a-secret');
    expect(log.lines.join('\n')).not.toContain('canary-of-a-secret');
  });

  it.each([
    ['ModelRatio', '{"gpt-4o": 1.25', '不是合法的 JSON 字符串'],
    ['ModelRatio', '{"gpt-4o": -1}', '选项 ModelRatio 未保存：gpt-4o：不能小于 0'],
    ['GroupRatio', '{"vip": 1}', '选项 GroupRatio 未保存：不能去掉分组 default：新用户都在其中'],
    ...['a,b', 'a，b', ' a', 'a\\n', 'auto'].map((name): [string, string, string] => [
      'GroupRatio',
      `{"default": 1, "vip": 1, "svip": 1, "${name}": 1}`,
      '：名称不能包含逗号或换行，首尾不能有空格，也不能是 auto',
    ]),
    ['QuotaPerUnit', '0', '选项 QuotaPerUnit 未保存：必须大于 0：价格和充值金额都按它换算'],
    ['USDExchangeRate', '0', '选项 USDExchangeRate 未保存：必须大于 0：人民币余额按它换算'],
    ['GroupRatio', '[1]', '选项 GroupRatio 未保存：必须是 JSON 对象'],
    [
      'ModelRequestRateLimitGroup',
      '{"vip": [1]}',
      '选项 ModelRequestRateLimitGroup 未保存：vip：不能少于 2 项',
    ],
    ['ModelRequestRateLimitSuccessCount', '0', '选项 ModelRequestRateLimitSuccessCount 未保存：不能小于 1'],
    ['ModelRequestRateLimitDurationMinutes', '-1', undefined],
    ['DataExportInterval', '0', undefined],
    ['DataExportDefaultTime', 'month', '必须是以下之一："hour", "day", "week"'],
    ['MinTopUp', '0', undefined],
    ['RetryTimes', 'many', '选项 RetryTimes 未保存：必须是数字'],
    ['ServerAddress', 'javascript:alert(1)', '选项 ServerAddress 未保存：必须是 http 或 https 地址'],
    ['claude.thinking_adapter_budget_tokens_percentage', '1.1', undefined],
    ['claude.default_max_tokens', '{"default": 0}', '未保存：default：不能小于 1'],
    ['PayMethods', '{}', undefined],
    ['gemini.version_settings', '{"default": "../../other"}', undefined],
    ['DrawingEnabled', 'yes', undefined],
    ['NoSuchOption', '1', '没有这个选项：NoSuchOption'],
    ['GroupRatio', '{"": 1}', '选项 GroupRatio 未保存：名称不能为空'],
    ['ModelRatio', '{"gpt": 1, "gpt": 100}', '选项 ModelRatio 未保存：名称 gpt 出现了两次'],
    ['ModelRatio', '{"gpt": 1, " gpt": 100}', '选项 ModelRatio 未保存：名称 gpt 出现了两次'],
    ['ModelRatio', '{"gpt": 1, "gpt": 100, " o1": 2}', '选项 ModelRatio 未保存：名称 gpt 出现了两次'],
    ['GroupGroupRatio', '{"vip": {"default": 1, "default": 2}}', '名称 default 出现了两次'],
    ['global.model_aliases', '{"__proto__": "a"}', '不能使用名称 __proto__'],
    [
      'upstream_setting.first_token',
      '{"a": {"deadline_ms": "auto", "least_ms": 900, "most_ms": 800}}',
      '：a.most_ms：不能小于 least_ms 的值 900',
    ],
    ['claude.model_headers_settings', '{"claude": {"x a": "b"}}', '未保存：claude.x a：'],
    [
      'claude.model_headers_settings',
      '{"claude": {"x-a": ["b", "密"]}}',
      '未保存：claude.x-a.1：第 1 个字符 “密”',
    ],
    ['claude.model_headers_settings', '{"claude": {"X-Api-Key": "other"}}', '未保存：claude.X-Api-Key：'],
    ['gemini.safety_settings', '{"HARM_CATEGORY_OTHER": "OFF"}', '未保存：'],
    ['gemini.safety_settings', '{"default": "off"}', '未保存：default：'],
    ['upstream_setting.model_timeouts', '{"*-mini": {"idle_timeout_ms": 2000}}', '：名称中的星号只能在末尾'],
    ['affinity_setting.minutes_by_model', '{"a*b*": 5}', '：名称中的星号只能在末尾'],
    ['routing_setting.choice', '{"groups": {"vip": {"*a": "fastest"}}}', '：名称中的星号只能在末尾'],
    ['tool_price_setting.prices', '{"web_serach": 10}', '：名称不是收费工具，可用：web_search, '],
    ['tool_price_setting.prices', '{"web_search:*4o": 10}', '：名称中的星号只能在末尾'],
    ['ModelRatio', 7e9, '必须是 JSON 对象'],
    ['ModelRatio', null, '无效的参数 value：'],
  ])(
    '%s = %s is refused, and the old value stays in memory and in the database',
    async (key, value, message) => {
      const before = [
        await listed(),
        await server.parts.stores.options.all(),
        server.parts.routing().options,
      ];
      const answer = await call('/api/option/', {
        method: 'PUT',
        body: { key, value },
        headers: { 'Accept-Language': 'zh' },
      });
      expect(answer.success).toBe(false);
      expect(answer.message).toContain(message ?? '未保存');
      expect([
        await listed(),
        await server.parts.stores.options.all(),
        server.parts.routing().options,
      ]).toEqual(before);
    },
  );

  it.each(['ServerAddress', 'WorkerUrl', 'PayAddress', 'WeChatServerAddress'])(
    '%s loses its last slashes',
    async (key) => {
      expect((await put(key, 'https://gate.example//')).success).toBe(true);
      expect((await listed()).get(key)).toBe('https://gate.example');
    },
  );

  it('a group of an odd name that is there already stays while others change', async () => {
    const odd = { default: 1, vip: 1, svip: 1, 'a,b': 1 };
    await server.parts.stores.options.set('GroupRatio', JSON.stringify(odd), 1);
    expect((await put('GroupRatio', JSON.stringify({ ...odd, vip: 2 }))).success).toBe(true);
    expect((await put('GroupRatio', '{"default":1,"vip":1,"svip":1}')).success).toBe(true);
  });

  it.each([
    ['LinuxDOOAuthEnabled', ['LinuxDOClientId', 'LinuxDOClientSecret']],
    ['EmailVerificationEnabled', ['SMTPServer']],
  ])('%s is on only while what it needs is filled in', async (flag, needs) => {
    const refused = await put(flag, true);
    expect([refused.success, refused.message]).toEqual([false, expect.stringContaining(needs.join(', '))]);
    for (const need of needs) await put(need, 'filled-in');
    expect((await put(flag, true)).success).toBe(true);
    for (const need of needs)
      expect((await put(need, ' ')).message).toBe(
        `${need} cannot be empty while ${flag} is on: switch that off first`,
      );
    const both = [flag, ...needs].map((key) => ({ key, value: key === flag ? 'false' : '' }));
    expect((await call('/api/option/batch', { method: 'PUT', body: { options: both } })).message).toBe('');
  });

  it.each([
    ['SMTPToken', 'SMTPServer', 'mail.example', 'evil.example'],
    ['EpayKey', 'PayAddress', 'https://pay.example', 'https://pay.example/other'],
    ['WeChatServerToken', 'WeChatServerAddress', 'https://wechat.example', 'https://evil.example'],
    ['GitHubClientSecret', 'GitHubClientId', 'ours', 'theirs'],
    ['oidc.client_secret', 'oidc.token_endpoint', 'https://id.example/token', 'https://evil.example/token'],
    ['TurnstileSecretKey', 'TurnstileSiteKey', 'ours', 'theirs'],
  ])('%s stays only while %s does', async (secret, address, first, second) => {
    const both = (place: string, text: string) =>
      call('/api/option/batch', {
        method: 'PUT',
        body: {
          options: [
            { key: address, value: place },
            { key: secret, value: text },
          ],
        },
      });
    const stored = async () => {
      const all = await server.parts.stores.options.all();
      return [all.get(address), (all.get(secret) ?? '') !== ''];
    };
    expect((await both(first, 'the secret')).success).toBe(true);
    // What is sent again as it stands is no change.
    expect((await put(address, first)).success).toBe(true);
    const refused = await call('/api/option/', {
      method: 'PUT',
      body: { key: address, value: second },
      headers: { 'Accept-Language': 'zh' },
    });
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining(`重新填写 ${secret}`)]);
    expect(await stored()).toEqual([first, true]);
    expect((await both(second, 'another secret')).success).toBe(true);
    expect(await stored()).toEqual([second, true]);
    // With its place the secret is gone: filled in later, the address would get it.
    expect((await put(address, '')).success).toBe(true);
    expect(await stored()).toEqual(['', false]);
  });

  it.each([
    ['SMTPToken', 'SMTPServer', 'mail.example', 'SMTPPort', 25],
    ['SMTPToken', 'SMTPServer', 'mail.example', 'SMTPAccount', 'another'],
    ['SMTPToken', 'SMTPServer', 'mail.example', 'SMTPSSLEnabled', true],
    ['EpayKey', 'PayAddress', 'https://pay.example', 'EpayId', 'another'],
    ['oidc.client_secret', 'oidc.token_endpoint', 'https://id.example/a', 'oidc.client_id', 'another'],
    ...['oidc.well_known', 'oidc.authorization_endpoint', 'oidc.user_info_endpoint'].map(
      (key) =>
        [
          'oidc.client_secret',
          'oidc.token_endpoint',
          'https://id.example/a',
          key,
          'https://b.example',
        ] as const,
    ),
  ] as const)('%s at %s %s does not go on with another %s', async (secret, place, address, key, value) => {
    for (const [name, text] of [
      [secret, ''],
      [place, address],
      [secret, 'the password'],
    ] as const)
      expect((await put(name, text)).success).toBe(true);
    expect((await put(key, value)).message).toContain(secret);
    expect((await put(place, '')).success).toBe(true);
  });

  it('several are set at once, or none of them', async () => {
    const batch = (options: object[]) => call('/api/option/batch', { method: 'PUT', body: { options } });
    const before = await listed();
    for (const wrong of [
      { key: 'RetryTimes', value: 'many' },
      { key: 'NoSuchOption', value: '1' },
      { key: 'QuotaRemindThreshold', value: '8' },
    ]) {
      const answer = await batch([
        { key: 'QuotaRemindThreshold', value: '7' },
        { key: 'ModelPrice', value: '{"a":1}' },
        wrong,
      ]);
      expect([answer.status, answer.success]).toEqual([400, false]);
      expect(await listed()).toEqual(before);
    }
    // A switch may need what comes with it.
    const linked = await batch([
      { key: 'discord.enabled', value: true },
      { key: 'discord.client_id', value: 'id' },
      { key: 'discord.client_secret', value: 'secret' },
    ]);
    expect(linked.success).toBe(true);
    expect(server.parts.routing().options['discord.enabled']).toBe(true);
  });

  it('a saved option counts at once, and a reset forgets every model ratio', async () => {
    await put('ModelRatio', '{"gpt-4o": 3}');
    expect(server.parts.routing().options.ModelRatio).toEqual({ 'gpt-4o': 3 });
    expect((await call('/api/option/rest_model_ratio', { method: 'POST' })).success).toBe(true);
    expect(server.parts.routing().options.ModelRatio).toEqual({});
  });
});

describe('contents', () => {
  it.each([
    ['Notice', '/api/notice'],
    ['About', '/api/about'],
    ['HomePageContent', '/api/home_page_content'],
  ])('%s is what %s answers to everybody', async (key, path) => {
    await put(key, `# ${key}`);
    expect((await stage.caller({})(path)).data).toBe(`# ${key}`);
  });

  it('an update check that fails says so quietly', async () => {
    expect((await call('/api/update')).message).toContain('no release address');
    await put('UpdateCheckUrl', 'http://127.0.0.1:1/releases/latest');
    const answer = await call('/api/update');
    expect([answer.status, answer.success, answer.message]).toEqual([200, false, 'check for update failed']);
  });
});

it('a demo site refuses writes with 405 and the words of the specification', async () => {
  await put('DemoSiteEnabled', true);
  const user = stage.caller(await stage.session(await stage.person('somebody')));
  const answer = await user('/api/user/self', {
    method: 'PUT',
    body: { display_name: 'renamed' },
    headers: { 'Accept-Language': 'zh' },
  });
  expect([answer.status, answer.message]).toEqual([405, '本站仅作演示之用，无服务端！']);
});
