import { describe, expect, it } from 'vitest';
import type { Got } from '../../http/testing/caller.ts';
import { callerScene } from '../../http/testing/caller-scene.ts';

/** A channel's settings do what they say, or are refused with their name. */

const here = callerScene(10_000_000);

const wish = { type: 1, name: 'one', key: 'sk-1', models: 'gpt-small' };
const send = (method: string, path: string, body?: unknown): Promise<Got> =>
  here.scene.asRoot(path, { method, ...(body !== undefined && { body }) });

const wrong = [
  [{ setting: '{"headers":{"x":"y"}}' }, 'setting: there is no field headers'],
  [{ setting: '{"header_override":{}}' }, 'setting: there is no field header_override'],
  [{ header_override: '{"x-site":"ours"}' }, 'header_override is not offered here'],
  [{ header_override: { 'x-site': 'ours' } }, 'header_override is not offered here'],
  [
    { setting: '{"system_prompt":"a","system_prompt":"b"}' },
    'setting: the name system_prompt is given twice',
  ],
  [{ param_override: '{"stop":[{"a":1,"a":2}]}' }, 'param_override: the name a is given twice'],
  [{ model_mapping: '{"a":"b","a":"c"}' }, 'model_mapping: the name a is given twice'],
  [{ setting: '{"force_format":true}' }, 'setting: force_format is not offered here'],
  [{ setting: '{"thinking_to_content":true}' }, 'setting: thinking_to_content is not offered here'],
  [{ setting: '{"pass_through_body_enabled":"yes"}' }, 'the value of pass_through_body_enabled'],
  [{ setting: '{"idle_timeout_ms":1}' }, 'the value of idle_timeout_ms'],
  [{ param_override: '{"nested.a":1}' }, 'nested.a would be sent as a field of that very name'],
  [{ param_override: '{"operations":[]}' }, 'operations cannot be set'],
  [{ param_override: '{"stream":true}' }, 'stream cannot be set'],
  [{ param_override: '{"model":"dear"}' }, 'model cannot be set'],
  [{ param_override: '{"extra_body":{"model":"dear"}}' }, 'extra_body cannot be set'],
  [{ param_override: '{"tools":[{"type":"image_generation"}]}' }, 'tools cannot be set'],
  [{ param_override: '{"max_tokens":-1}' }, 'the value of max_tokens is no number'],
  [{ param_override: '{"n":1000}' }, 'the value of n is no number'],
  [{ setting: '{"overrides":[{"op":"move","path":"a"}]}' }, 'the value of overrides.0.op'],
  [{ setting: '{"overrides":[{"op":"delete","path":"a","to":"b"}]}' }, 'unknown field to'],
  [
    { setting: '{"overrides":[{"op":"set","path":"model","value":"dear"}]}' },
    'the value of overrides.0.path',
  ],
  [
    { setting: '{"overrides":[{"op":"delete","path":"tools","when":{"model":"gpt-realtime*"}}]}' },
    'the value of overrides.0.when',
  ],
  [{ model_mapping: '{"claude-.*":"claude"}' }, 'claude-.* is neither'],
  [{ model_mapping: '{"claude":"claude-*"}' }, 'the target of claude has more stars'],
  [{ model_mapping: '{"a-*":"b","b":"a-1"}' }, 'goes in a circle'],
  [{ model_mapping: '{"a":"b","b":"a"}' }, 'goes in a circle'],
  [{ model_mapping: '{"a":" b","b ":"a"}' }, 'goes in a circle'],
  [{ model_mapping: '{"__proto__":"a"}' }, 'model_mapping: nothing can have the name __proto__'],
] as const;

describe('a setting that has no effect is refused', () => {
  it.each(wrong)('%j', async (fields, said) => {
    const { stage, root } = here.scene;
    const row = await stage.channel(root, { baseUrl: here.upstream.url, models: 'm', tag: 'tagged' });
    const tag = { tag: 'tagged', ...fields };
    const calls = [
      send('POST', '/api/channel', { ...wish, ...fields }),
      send('POST', '/api/channel', { ...wish, key: 'sk-1\nsk-2', ...fields }),
      send('POST', '/api/channel/test', { ...wish, base_url: here.upstream.url, ...fields }),
      send('PUT', '/api/channel', { id: row.id, ...fields }),
      ...('model_mapping' in fields ? [send('PUT', '/api/channel/tag', tag)] : []),
    ];
    for (const got of await Promise.all(calls)) {
      expect(got.success).toBe(false);
      expect(got.message).toContain(said);
    }
    expect(await here.scene.server.parts.stores.channels.byId(row.id)).toEqual(row);
    await here.scene.server.parts.channels.delete(root, row.id);
  });

  it('what would change bodies in a channel of conversations alone, which have none', async () => {
    const { stage, root } = here.scene;
    const rule = '{"overrides":[{"op":"set","path":"temperature","value":1}]}';
    const ofHeader = '{"overrides":[{"op":"set","on":"header","path":"x-app","value":"1"}]}';
    const talk = { ...wish, models: 'gpt-realtime,gpt-4o-realtime-preview' };
    const mixed = await stage.channel(root, {
      baseUrl: here.upstream.url,
      models: 'm,gpt-realtime',
      tag: 'mixed',
      paramOverride: '{"temperature":1}',
    });
    for (const got of [
      await send('POST', '/api/channel', { ...talk, setting: rule }),
      await send('POST', '/api/channel', { ...talk, param_override: '{"temperature":1}' }),
      await send('PUT', '/api/channel', { id: mixed.id, models: 'gpt-realtime' }),
      await send('PUT', '/api/channel/tag', { tag: 'mixed', models: 'gpt-realtime' }),
    ])
      expect([got.success, got.message]).toEqual([false, expect.stringContaining('has no body')]);
    // Its other models have bodies.
    expect(await send('PUT', '/api/channel', { id: mixed.id, setting: rule })).toMatchObject({
      success: true,
    });
    expect(await send('POST', '/api/channel', { ...talk, setting: ofHeader })).toMatchObject({
      success: true,
    });
  });

  it('settings that are switched off may be copied over from other systems', async () => {
    const setting =
      '{"force_format":false,"thinking_to_content":false,"system_prompt_override":null,"proxy":""}';
    expect((await send('POST', '/api/channel', { ...wish, setting })).message).toBe('');
  });

  it('an older row with settings without effect is served and edited, but not copied', async () => {
    const { stage, root, server } = here.scene;
    const { id } = await stage.channel(root, { baseUrl: here.upstream.url, models: 'from-before' });
    const setting = '{"headers":{"x":"y"}}';
    await server.parts.stores.channels.update(id, { setting });
    const read = (await send('GET', `/api/channel/${id}`)).data as object;
    const edited = await send('PUT', '/api/channel', { ...read, models: 'from-before,more' });
    expect(edited.message).toBe('');
    expect(edited.data).toMatchObject({ models: 'from-before,more', setting });
    expect(server.parts.routing().channels.get(id)?.models).toEqual(['from-before', 'more']);
    const copied = await send('POST', `/api/channel/copy/${id}`, {});
    expect(copied.message).toContain('there is no field headers');
  });
});

describe('a body that is passed through', () => {
  // Spaces, an escape, a field nobody knows and a number that would be written otherwise.
  const bodyFor = (model: string): string =>
    `{ "model":"${model}",  "x_own": 1.50, "stream": false, "messages":[{"role":"user","content":"\\u0041"}] }`;
  const ask = async (path: string, body: string): Promise<string | undefined> => {
    const reply = await here.post(path, body);
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('Hi.')]);
    return here.upstream.requests.at(-1)?.body;
  };
  const channel = (models: string, more: object) =>
    here.scene.stage.channel(here.scene.root, {
      baseUrl: here.upstream.url,
      models,
      paramOverride: '{"temperature":0.5}',
      ...more,
    });
  const priced = (...models: readonly string[]) =>
    here.scene.set('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 0.01]))));

  it('goes out as it came, without override and instruction, where its channel says so', async () => {
    await priced('plain', 'o3-mini-high');
    await channel('plain', { setting: '{"system_prompt":"Be brief."}' });
    const adjusted = await ask('/v1/chat/completions', bodyFor('plain'));
    expect(JSON.parse(adjusted ?? '')).toMatchObject({
      temperature: 0.5,
      messages: [{ role: 'system' }, { role: 'user' }],
    });
    await channel('o3-mini-high', {
      setting: '{"pass_through_body_enabled":true,"system_prompt":"Be brief."}',
    });
    expect(await ask('/v1/chat/completions', bodyFor('o3-mini-high'))).toBe(bodyFor('o3-mini-high'));
  });

  it('goes out as it came through every channel while the site says so', async () => {
    await priced('o4-mini-low');
    await channel('o4-mini-low', {});
    await here.scene.set('global.pass_through_request_enabled', true);
    expect(await ask('/v1/chat/completions', bodyFor('o4-mini-low'))).toBe(bodyFor('o4-mini-low'));
    await here.scene.set('global.pass_through_request_enabled', false);
    expect(JSON.parse((await ask('/v1/chat/completions', bodyFor('o4-mini-low'))) ?? '')).toMatchObject({
      model: 'o4-mini',
      reasoning_effort: 'low',
      temperature: 0.5,
    });
  });

  it('has the name that its model has at the channel, and is priced by the one the caller used', async () => {
    await priced('named');
    await channel('named', {
      modelMapping: '{"named":"upstream-name"}',
      setting: '{"pass_through_body_enabled":true}',
    });
    expect(await ask('/v1/chat/completions', bodyFor('named'))).toBe(
      bodyFor('named').replace('"named"', '"upstream-name"'),
    );
    expect(
      JSON.stringify(
        (await here.scene.stage.caller(await here.scene.stage.session(here.alice.user))('/api/log/self'))
          .data,
      ),
    ).toContain('"model_name":"named"');
  });

  it('is converted as usual if the upstream speaks another format, overrides included', async () => {
    await priced('converted');
    await channel('converted', { setting: '{"pass_through_body_enabled":true}' });
    const message = '{"model":"converted","max_tokens":9,"messages":[{"role":"user","content":"A"}]}';
    const sent = await ask('/v1/messages', message);
    expect(here.upstream.requests.at(-1)?.path).toBe('/v1/chat/completions');
    expect(JSON.parse(sent ?? '')).toMatchObject({ model: 'converted', temperature: 0.5 });
  });

  it('still has to keep to the filter and to the limits of its token', async () => {
    await priced('filtered');
    await channel('filtered', { setting: '{"pass_through_body_enabled":true}' });
    await here.scene.set('SensitiveWords', 'forbidden phrase');
    const before = here.upstream.requests.length;
    const reply = await here.post(
      '/v1/chat/completions',
      bodyFor('filtered').replace(String.raw`\u0041`, String.raw`forbidden\u0020phrase`),
    );
    expect([reply.status, here.upstream.requests.length]).toEqual([400, before]);
  });
});
