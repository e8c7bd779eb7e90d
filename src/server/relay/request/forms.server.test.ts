import { beforeAll, expect, it } from 'vitest';
import { callerScene } from '../../http/testing/caller-scene.ts';

/** What a form costs and may ask for is decided by the very form the upstream reads. */

const here = callerScene();

beforeAll(async () => {
  const { stage, root } = here.scene;
  await stage.channel(root, { baseUrl: here.upstream.url, models: 'cheap,dear,masked' });
  // Of a kind that takes no masks, and preferred.
  await stage.channel(root, { type: 17, baseUrl: here.upstream.url, models: 'masked,maskless', priority: 9 });
  const prices = { cheap: 0.01, dear: 1, masked: 0.01, maskless: 0.01 };
  await here.scene.set('ModelPrice', JSON.stringify(prices));
  await here.scene.set('SensitiveWords', 'forbidden phrase');
  await here.scene.set('CheckSensitiveEnabled', true);
  await here.scene.set('CheckSensitiveOnPromptEnabled', true);
});

const part = (head: string, value: string): string =>
  `Content-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
const form = (boundary: string, ...parts: readonly string[]): string =>
  `${parts.map((each) => `--${boundary}\r\n${each}`).join('')}--${boundary}--\r\n`;
const cheap = [part('name="model"', 'cheap'), part('name="prompt"', 'a cat'), part('name="n"', '1')];
const dear = [
  part('name="model"', 'dear'),
  part('name="prompt"', 'a forbidden phrase'),
  part('name="n"', '10'),
];

const post = (contentType: string, body: string): Promise<Response> =>
  here.post('/v1/images/edits', body, { 'content-type': contentType });

/** What an upstream that reads forms by the book finds in the last call. */
const lastRead = async (): Promise<Record<string, string>> => {
  const { contentType, body } = here.upstream.requests.at(-1) ?? { contentType: '', body: '' };
  const read = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  return Object.fromEntries(
    [...read].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
  );
};

it('a plain form reaches the upstream with all its fields', async () => {
  const answer = await post('multipart/form-data; boundary=AAA', form('AAA', ...cheap));
  expect(answer.status).toBe(200);
  expect(await lastRead()).toEqual({ model: 'cheap', prompt: 'a cat', n: '1' });
});

it('what only some kinds of upstreams take goes to those, and is refused by its field if there are none', async () => {
  const picture = 'Content-Type: image/png\r\n\r\nbytes\r\n';
  const fileOf = (name: string) =>
    `Content-Disposition: form-data; name="${name}"; filename="a.png"\r\n${picture}`;
  const asked = (model: string) =>
    form('AAA', part('name="model"', model), part('name="prompt"', 'a cat'), fileOf('image'), fileOf('mask'));
  const before = here.upstream.requests.length;
  const refused = await post('multipart/form-data; boundary=AAA', asked('maskless'));
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('"param":"mask"')]);
  expect(here.upstream.requests.length).toBe(before);
  const answer = await post('multipart/form-data; boundary=AAA', asked('masked'));
  expect([answer.status, here.upstream.requests.at(-1)?.path]).toEqual([200, '/v1/images/edits']);
});

it('so does what is known only once it is written, in another thread', async () => {
  const mask = { image_url: `data:image/png;base64,${'A'.repeat(700_000)}` };
  const body = { model: 'masked', prompt: 'a cat', images: [mask], mask };
  const answer = await here.post('/v1/images/edits', body);
  expect([answer.status, here.upstream.requests.at(-1)?.path]).toEqual([200, '/v1/images/edits']);
});

const both = `${form('AAA', ...cheap)}${form('BBB', ...dear)}`;
const odd: readonly (readonly [string, string, string])[] = [
  ['has a form before the one its boundary names', 'multipart/form-data; xboundary=AAA; boundary=BBB', both],
  ['names two boundaries', 'multipart/form-data; boundary=AAA; boundary=BBB', both],
  ['has a boundary inside quotes', 'multipart/form-data; x="; boundary=AAA"; boundary=BBB', both],
  ['has a second form behind it', 'multipart/form-data; boundary=AAA', both],
  [
    'has a name inside quotes',
    'multipart/form-data; boundary=AAA',
    form('AAA', part('x="; name=model"; name="size"', 'dear'), ...cheap),
  ],
  [
    'has two dispositions over a part',
    'multipart/form-data; boundary=AAA',
    form('AAA', `Content-Disposition: form-data; name="model"\r\n${part('name="x"', 'dear')}`, ...cheap),
  ],
  ['has n as a list', 'multipart/form-data; boundary=AAA', form('AAA', ...cheap, part('name="n[]"', '10'))],
  ...['n[]', 'n[0]', 'N', 'Quality', 'size[]'].map((name): (typeof odd)[number] => [
    `has ${name} alone`,
    'multipart/form-data; boundary=AAA',
    form('AAA', ...cheap.slice(0, 2), part(`name="${name}"`, '10')),
  ]),
  ['has Model', 'multipart/form-data; boundary=AAA', form('AAA', part('name="Model"', 'dear'), ...cheap)],
  [
    'names the character set of its fields',
    'multipart/form-data; boundary=AAA',
    form('AAA', part('name="_charset_"', 'utf-7'), ...cheap),
  ],
  [
    'has two prompts',
    'multipart/form-data; boundary=AAA',
    form('AAA', ...cheap, part('name="prompt"', 'a forbidden phrase')),
  ],
  [
    'has a model as a file',
    'multipart/form-data; boundary=AAA',
    form('AAA', ...cheap, part('name="model"; filename="x"', 'dear')),
  ],
  [
    'counts in hexadecimal',
    'multipart/form-data; boundary=AAA',
    form('AAA', ...cheap.slice(0, 2), part('name="n"', '0x1')),
  ],
  [
    'streams in another word for yes',
    'multipart/form-data; boundary=AAA',
    form('AAA', ...cheap, part('name="stream"', '1')),
  ],
];

it.each(odd)('a form that %s is refused, and no upstream is called', async (_, contentType, body) => {
  const before = here.upstream.requests.length;
  const answer = await post(contentType, body);
  expect({ status: answer.status, asked: here.upstream.requests.length - before }).toEqual({
    status: 400,
    asked: 0,
  });
});

it('JSON that is not UTF-8 is refused, because decoders repair it differently', async () => {
  const before = here.upstream.requests.length;
  const body = Buffer.concat([
    Buffer.from('{"messages":[{"role":"user","content":"Hi"}],"model":"ch'),
    Buffer.from([0xc1, 0xa5]),
    Buffer.from('ap"}'),
  ]);
  const answer = await here.post('/v1/chat/completions', body);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('not UTF-8');
  expect(here.upstream.requests.length).toBe(before);
});
