import { expect, it } from 'vitest';
import { keyOf, setPoolScene } from '../../http/testing/pool-scene.ts';

/** A session whose seat fails is not sent there again and again while its agent repeats the call. */

const here = setPoolScene();
const KEYS = ['aaaa', 'bbbb', 'cccc'].map(keyOf);

/** A call of one session. @returns its status, and the keys that it was sent with */
const turn = async (session: string): Promise<readonly [status: number, ...keys: string[]]> => {
  here.used.length = 0;
  const reply = await fetch(`${here.scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${here.spender.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'm',
      prompt_cache_key: session,
      messages: [{ role: 'user', content: 'hi' }],
    }),
  });
  await reply.text();
  return [reply.status, ...here.used];
};

it.each([503, 529, 500])('after a %i it goes to another key, and stays there', async (status) => {
  await here.pool(KEYS, 'in_turn');
  const session = `session-${String(status)}`;
  const [, bound = ''] = await turn(session);
  expect(await turn(session)).toEqual([200, bound]);
  here.answers.set(bound, { status, message: 'not now' });
  const turns = [await turn(session), await turn(session)];
  const other = turns[1]?.[1] ?? '';
  expect(other).not.toBe(bound);
  // A 500 may be about the very call: its agent is told, and calls again.
  const first = status === 500 ? [502, bound] : [200, bound, other];
  expect(turns).toEqual([first, [200, other]]);
});

it("a caller's own mistake leaves it where it is", async () => {
  await here.pool(KEYS, 'in_turn');
  const [, bound = ''] = await turn('mistaken');
  here.answers.set(bound, { status: 400, message: 'no such field' });
  expect(await turn('mistaken')).toEqual([400, bound]);
  here.answers.clear();
  expect(await turn('mistaken')).toEqual([200, bound]);
});
