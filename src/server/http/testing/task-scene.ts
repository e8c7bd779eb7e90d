import type { User } from '#core/user/user.ts';
import { type RunningSimulator, startSimulator } from '../../../simulator/start.ts';
import { openScene, type Scene } from './scene.ts';

/** What every task of these scenes costs: 0.1 USD. */
export const TASK_COST = 50_000;

export interface SentTask {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Two users who make drawings and music, at a fake upstream in its own process. */
export interface TaskScene extends Pick<Scene, 'root' | 'log' | 'restart' | 'close'> {
  readonly scene: Scene;
  readonly simulator: RunningSimulator;
  readonly alice: User;
  readonly key: string;
  readonly bobKey: string;
  /** POST with a body, else GET; as alice, unless the headers say otherwise. */
  send(path: string, body?: object, headers?: object): Promise<SentTask>;
  imagine(prompt: string, more?: object): Promise<SentTask>;
  taskOf(id: string): Promise<Record<string, unknown>>;
  /** Polls the upstream once for all tasks. */
  poll(): Promise<unknown>;
  /** The balances of alice and her token. */
  money(): Promise<{ user: number; used: number; token: number; held: number }>;
}

export const idOf = ({ body }: SentTask): string => String(body['result']);

const DRAWING = 'mj_imagine,mj_upscale,mj_variation,mj_describe,mj_inpaint,mj_modal,mj_upload,swap_face';

export const openTaskScene = async (environment?: Readonly<Record<string, string>>): Promise<TaskScene> => {
  const simulator = await startSimulator();
  const scene = await openScene(environment);
  const { root } = scene;
  const { user: alice, key } = await scene.spender('alice', 10_000_000, 5_000_000);
  const { key: bobKey } = await scene.spender('bob', 10_000_000, 5_000_000);
  await scene.stage.channel(root, { type: 2, baseUrl: simulator.url, models: DRAWING, key: 'secret' });
  await scene.stage.channel(root, { type: 36, baseUrl: simulator.url, models: 'suno_music,suno_lyrics' });
  const send: TaskScene['send'] = async (path, body, headers = { 'mj-api-secret': key }) => {
    const answer = await fetch(`${scene.server.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const read = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, headers: answer.headers, body: read };
  };
  return {
    scene,
    simulator,
    root,
    log: scene.log,
    alice,
    key,
    bobKey,
    send,
    imagine: (prompt, more = {}) => send('/mj/submit/imagine', { prompt, ...more }),
    taskOf: async (id) => (await send(`/mj/task/${id}/fetch`)).body,
    poll: () => scene.server.parts.taskRelay.poller.run(),
    money: () => moneyOf(scene, alice),
    restart: scene.restart,
    async close() {
      await scene.close();
      await simulator.stop();
    },
  };
};

const moneyOf = async ({ server }: Scene, { id }: User): ReturnType<TaskScene['money']> => {
  const { users, database } = server.parts.stores;
  const user = await users.byId(id);
  const [token] = (await database.writer
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', id)
    .execute()) as { remain_quota: number; held: number }[];
  return {
    user: user?.quotaUnits ?? 0,
    used: user?.usedQuotaUnits ?? 0,
    token: token?.remain_quota ?? 0,
    held: token?.held ?? 0,
  };
};
