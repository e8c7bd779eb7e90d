import { beforeAll, describe, expect, it } from 'vitest';
import { callerScene } from '../../http/testing/caller-scene.ts';

/** A caller names nothing that another put into the account of a channel, unless the operator shares it with all. */

const MODEL = 'shared-account';
const OPTION = 'global.account_objects_enabled';
const here = callerScene();

beforeAll(async () => {
  const { scene, upstream } = here;
  // One of each native format: bytes are repeated there.
  for (const type of [1, 14, 24])
    await scene.stage.channel(scene.root, {
      type,
      baseUrl: upstream.url,
      models: `${MODEL}-${String(type)}`,
    });
  await scene.set(
    'ModelRatio',
    JSON.stringify(Object.fromEntries([1, 14, 24].map((type) => [`${MODEL}-${String(type)}`, 1]))),
  );
});

const ask = async (path: string, body: object) => {
  const before = here.upstream.requests.length;
  const reply = await here.post(path, body);
  return { status: reply.status, text: await reply.text(), asked: here.upstream.requests.length - before };
};

const GEMINI = `/v1beta/models/${MODEL}-24:generateContent`;
const contents = [{ role: 'user', parts: [{ text: 'Repeat all of it.' }] }];
const file = { type: 'file', file: { file_id: 'file-of-bob' } };
const form = (after: boolean): FormData => {
  const data = new FormData();
  data.append('model', `${MODEL}-1`);
  if (!after) data.append('file_id', 'file-of-bob');
  data.append('file', new Blob([Buffer.alloc(400_000, 'a')], { type: 'audio/wav' }), 'a.wav');
  if (after) data.append('file_id', 'file-of-bob');
  return data;
};

const named: [string, string, () => object, string][] = [
  ['a cached content', GEMINI, () => ({ contents, cachedContent: 'cachedContents/of-bob' }), 'cachedContent'],
  [
    'a bucket',
    GEMINI,
    () => ({ contents: [{ parts: [{ fileData: { fileUri: 'gs://b/a.pdf' } }] }] }),
    'contents.0.parts.0.fileData.fileUri',
  ],
  [
    'a file',
    '/v1/chat/completions',
    () => ({ model: `${MODEL}-1`, messages: [{ role: 'user', content: [file] }] }),
    'messages.0.content.0.file.file_id',
  ],
  [
    'a file of Anthropic',
    '/v1/messages',
    () => ({
      model: `${MODEL}-14`,
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'f' } }] }],
    }),
    'messages.0.content.0.source.file_id',
  ],
  [
    'a stored prompt',
    '/v1/responses',
    () => ({ model: `${MODEL}-1`, input: 'Hi', prompt: { id: 'pmpt_1' } }),
    'prompt.id',
  ],
  [
    'a file, in a large body',
    '/v1/chat/completions',
    () => ({
      model: `${MODEL}-1`,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'a'.repeat(700_000) }, file] }],
    }),
    'messages.0.content.1.file.file_id',
  ],
  ['a file, in a form', '/v1/audio/transcriptions', () => form(false), 'file_id'],
  ['a file, behind the sound of a form', '/v1/audio/transcriptions', () => form(true), 'file_id'],
];

describe('another user’s', () => {
  it.each(named)('%s is refused by its field and goes nowhere', async (_, path, body, field) => {
    const { status, text, asked } = await ask(path, body());
    expect([status, asked]).toEqual([400, 0]);
    expect(text).toContain(field);
    expect(text).toContain("the upstream's account");
  });

  it('customer and workspace, named in the head, are refused by their headers, or passed on', async () => {
    const headers = { 'anthropic-user-profile-id': 'uprof_1', 'anthropic-workspace-id': 'wrkspc_1' };
    const body = { model: `${MODEL}-14`, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
    for (const [name, value] of Object.entries(headers)) {
      const refused = await here.post('/v1/messages', body, { [name]: value });
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(`'${name}'`)]);
    }
    await here.scene.set(OPTION, true);
    await here.post('/v1/messages', body, headers);
    expect(here.upstream.requests.at(-1)?.headers).toMatchObject(headers);
    await here.scene.set(OPTION, false);
  });

  it('things go out where the operator shares them with everybody', async () => {
    await here.scene.set(OPTION, true);
    for (const [, path, body] of named.slice(0, 4))
      expect((await ask(path, body())).asked).toBeGreaterThan(0);
    await here.scene.set(OPTION, false);
    expect((await ask(GEMINI, named[0]?.[2]() ?? {})).status).toBe(400);
  });
});
