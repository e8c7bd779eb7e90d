import { expect, it } from 'vitest';
import { userOf } from '#core/user/testing/user.ts';
import type { Submission } from './dispatch-task.ts';
import { submitTask } from './submit-task.ts';
import type { TaskDeps } from './task-ports.ts';

it('a task waits for prices that are due before it looks at any', async () => {
  const due = Promise.withResolvers<void>();
  const looked: string[] = [];
  const deps = {
    pricesDue: () => due.promise,
    routing: () => {
      looked.push('prices');
      throw new Error('far enough');
    },
  } as unknown as TaskDeps;
  const caller = { user: userOf(), token: undefined, channelId: undefined };
  const over = submitTask(deps, caller, {} as Submission);
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect(looked).toEqual([]);
  due.resolve();
  await expect(over).rejects.toThrow('far enough');
  expect(looked).toEqual(['prices']);
});
