import { beforeEach, expect, it } from 'vitest';
import { keyOf, setPoolScene } from '../../http/testing/pool-scene.ts';

/** On a site as it is fresh, where nothing is retried, a call that one channel does not take is answered by the next. */

const here = setPoolScene();
const [FIRST, NEXT] = [keyOf('first'), keyOf('next')];

const addChannel = (key: string, priority: number) =>
  here.scene.stage.channel(here.scene.root, {
    baseUrl: here.baseUrl,
    models: 'm',
    groups: 'default',
    key,
    priority,
  });

beforeEach(async () => {
  // All tests together make more further attempts than a minute has.
  await here.scene.set('upstream_setting.retry_percent', 1000);
  for (const [key, priority] of [
    [FIRST, 1],
    [NEXT, 0],
  ] as const)
    await addChannel(key, priority);
});

it.each([302, 307, 405, 410, 501, 525, 526, 401, 402, 403, 429, 502, 503, 520, 521, 522, 523, 529])(
  'after a %i the next channel answers, and the caller does not notice',
  async (status) => {
    here.answers.set(FIRST, { status, message: 'not now' });
    expect([await here.chat(), ...here.used]).toEqual([200, FIRST, NEXT]);
  },
);

it('an account without money that is told with a 400 is left for the next channel, and rests', async () => {
  const message = 'Your credit balance is too low to access the API.';
  here.answers.set(FIRST, { status: 400, message });
  for (const met of [[FIRST, NEXT], [NEXT], [NEXT]]) {
    here.used.length = 0;
    expect([await here.chat(), ...here.used]).toEqual([200, ...met]);
  }
});

it.each([401, 402])('a channel whose only key is refused rests: a %i', async (status) => {
  await here.scene.set('AutomaticDisableChannelEnabled', false);
  here.answers.set(FIRST, { status, message: 'no' });
  for (const met of [[FIRST, NEXT], [NEXT], [NEXT]]) {
    here.used.length = 0;
    expect([await here.chat(), ...here.used]).toEqual([200, ...met]);
  }
  await here.scene.set('AutomaticDisableChannelEnabled', true);
});

it.each([400, 404, 413, 422, 500])(
  'an error of a channel that has just answered may be about the call itself, and is returned at once: a %i',
  async (status) => {
    expect([await here.chat(), ...here.used.splice(0)]).toEqual([200, FIRST]);
    here.answers.set(FIRST, { status, message: 'not this' });
    expect(await here.chat()).not.toBe(200);
    expect(here.used).toEqual([FIRST]);
  },
);

it('an error of a channel that keeps failing is no reason to fail a call: the next channel answers, and soon is asked first', async () => {
  here.answers.set(FIRST, { status: 500, message: 'broken' });
  expect([await here.chat(), await here.chat(), ...here.used]).toEqual([502, 502, FIRST, FIRST]);
  for (const met of [[FIRST, NEXT], [FIRST, NEXT], [FIRST, NEXT], [NEXT], [NEXT]]) {
    here.used.length = 0;
    expect([await here.chat(), ...here.used]).toEqual([200, ...met]);
  }
});

it('an operator can allow a single attempt', async () => {
  await here.scene.set('upstream_setting.silent_retries', 0);
  here.answers.set(FIRST, { status: 529, message: 'not now' });
  expect(await here.chat()).not.toBe(200);
  expect(here.used).toEqual([FIRST]);
  await here.scene.set('upstream_setting.silent_retries', 2);
});

it('a dozen channels that died one after another cost a call one of its attempts, not all', async () => {
  const dead = Array.from({ length: 12 }, (_, at) => ({ key: keyOf(`dead-${at}`), priority: at + 2 }));
  for (const { key, priority } of dead) {
    here.answers.set(key, { status: 529, message: 'Overloaded' });
    await addChannel(key, priority);
    here.used.length = 0;
    expect([await here.chat(), ...here.used]).toEqual([200, key, FIRST]);
  }
  // A single failure does not take away a channel's first attempts.
  here.used.length = 0;
  expect([await here.chat(), ...here.used]).toEqual([200, dead.at(-1)?.key, FIRST]);
});
