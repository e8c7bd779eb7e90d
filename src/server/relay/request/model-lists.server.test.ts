import { beforeAll, expect, it } from 'vitest';
import { callerScene } from '../../http/testing/caller-scene.ts';

/** Clients send lists of models by habit. One that names the same model alone is no wish for another. */

const here = callerScene();
const MODEL = 'asked-for';

beforeAll(async () => {
  const { scene, upstream } = here;
  await scene.stage.channel(scene.root, {
    type: 1,
    baseUrl: upstream.url,
    models: MODEL,
    modelMapping: JSON.stringify({ [MODEL]: 'theirs' }),
  });
  await scene.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
});

const messages = [{ role: 'user', content: 'Hi' }];

it('a list of models is not sent if the upstream knows the model by another name', async () => {
  const body = { model: MODEL, models: [MODEL], fallbacks: [], messages, seed: 7 };
  expect((await here.post('/v1/chat/completions', body)).status).toBe(200);
  const sent = JSON.parse(here.upstream.requests.at(-1)?.body ?? '{}') as object;
  expect(sent).toEqual({ model: 'theirs', messages, seed: 7 });
});

it.each([{ models: [MODEL, 'dearer'] }, { fallbacks: 'default' }, { preset: 'deep-research' }])(
  '%j is refused',
  async (lists) => {
    const before = here.upstream.requests.length;
    const reply = await here.post('/v1/chat/completions', { model: MODEL, messages, ...lists });
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain(`"param":"${Object.keys(lists)[0] ?? ''}"`);
    expect(here.upstream.requests).toHaveLength(before);
  },
);
