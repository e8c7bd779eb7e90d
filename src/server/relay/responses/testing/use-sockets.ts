import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { brokenRules } from '../../../store/testing/broken-rules.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { type Asked, answerAtOnce, openUpstream } from './responses-upstream.ts';
import { type Event, openCaller, type SocketCaller } from './socket-caller.ts';

export const MODEL = 'gpt-5-mini';

export const user = (content: string) => ({ type: 'message', role: 'user', content });

export const create = (fields: object = {}) => ({
  type: 'response.create',
  model: MODEL,
  store: false,
  input: [user('first')],
  ...fields,
});

export const types = (events: readonly Event[]): unknown[] => events.map(({ type }) => type);

/**
 * Starts a server with one channel and an upstream that answers as the test says. Each test gets a new user with an
 * open connection.
 */
export const useSockets = () => {
  let scene: Scene;
  let upstream: Awaited<ReturnType<typeof openUpstream>>;
  let answer: (asked: Asked, number: number) => unknown;
  let spender: Spender;
  let caller: SocketCaller;
  let names = 0;
  beforeAll(async () => {
    upstream = await openUpstream((asked, number) => answer(asked, number));
    scene = await openScene();
    await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: MODEL });
    await scene.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
    await scene.set('CompletionRatio', JSON.stringify({ [MODEL]: 1 }));
  });
  afterAll(async () => {
    await scene.close();
    upstream.close();
  });
  beforeEach(async () => {
    answer = answerAtOnce;
    upstream.asked.length = 0;
    spender = await scene.spender(`socket-${String((names += 1))}`, 1_000_000);
    caller = await openCaller(scene.server.url, { authorization: `Bearer sk-${spender.key}` });
  });
  afterEach(() => caller.socket.terminate());
  return {
    scene: () => scene,
    asked: () => upstream.asked,
    caller: () => caller,
    spender: () => spender,
    answerBy: (by: typeof answer) => void (answer = by),
    /** The log rows of what the user was charged. */
    charged: async () => {
      const { logs } = scene.server.parts.stores;
      return (await logs.page({ userId: spender.user.id, type: 2 }, { page: 1, pageSize: 20 })).items;
    },
    brokenBooks: async () => {
      return brokenRules(scene.server.parts.stores.database);
    },
  };
};
