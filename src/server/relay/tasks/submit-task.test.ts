import { expect, it } from 'vitest';
import type { Routing } from '#core/channel/routing.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { userOf } from '#core/user/testing/user.ts';
import type { Submission } from './dispatch-task.ts';
import { submitTask } from './submit-task.ts';
import type { TaskDeps } from './task-ports.ts';

it('a task waits for prices that are due before it looks at any', async () => {
  const due = Promise.withResolvers<void>();
  const looked: string[] = [];
  const configuration = (name: string, pricesUntilMs?: number) =>
    standIn<Routing>({
      pricesUntilMs,
      get options(): never {
        looked.push(name);
        throw new Error('far enough');
      },
    });
  let routing = configuration('old', 5);
  const clock = { now: () => 5, monotonic: () => 5 };
  const deps = standIn<TaskDeps>({ clock, pricesDue: () => due.promise, routing: () => routing });
  const caller = { user: userOf(), token: undefined, channelId: undefined };
  const over = submitTask(deps, caller, {} as Submission);
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect(looked).toEqual([]);
  routing = configuration('new');
  due.resolve();
  await expect(over).rejects.toThrow('far enough');
  expect(looked).toEqual(['new']);
});
