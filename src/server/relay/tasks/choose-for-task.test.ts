import { expect, it } from 'vitest';
import { channelStatus } from '#contract/codes.ts';
import type { Channel } from '#core/channel/channel.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { initialOptions } from '#contract/options.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Task } from '#core/task/task.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { userOf } from '#core/user/testing/user.ts';
import type { SeatRooms } from '../route/seat-rooms.ts';
import { chooseForTask, type Choosing, isServed, NOTHING_TRIED } from './choose-for-task.ts';
import type { Submission } from './dispatch-task.ts';
import type { TaskDeps } from './task-ports.ts';

const MIDJOURNEY = 2;
const ORIGIN = 7;

/** A task that continues one of channel 7; a first channel is there as well. */
const continuing = (changes: Partial<Channel> = {}, channelId = ORIGIN): Choosing =>
  standIn<Choosing>({
    deps: standIn<TaskDeps>({
      rooms: standIn<SeatRooms>({ seat: ({ choose }) => choose(() => true) }),
    }),
    routing: standIn<Routing>({
      options: initialOptions,
      channels: new Map([
        [1, channelOf(MIDJOURNEY, { id: 1 })],
        [ORIGIN, channelOf(MIDJOURNEY, { id: ORIGIN, ...changes })],
      ]),
    }),
    submission: standIn<Submission>({
      origin: standIn<Task>({ channelId, keyId: 0, group: 'vip' }),
      model: 'mj_imagine',
      types: new Set(),
    }),
    live: { stopped: undefined, queued: undefined },
    beganMs: 0,
    payer: { user: userOf(), token: undefined },
    groups: ['default', 'vip'],
  });

it('a task that continues another goes to the channel that has the other, and to no third one', async () => {
  const decision = await chooseForTask(continuing(), NOTHING_TRIED, 'give-up');
  expect([decision.channel?.id, decision.group]).toEqual([ORIGIN, 'vip']);
  const tried = { channels: new Set([ORIGIN]), keys: new Set<number>() };
  expect((await chooseForTask(continuing(), tried, 'give-up')).channel).toBeUndefined();
});

it('a task whose origin is at a deleted or disabled channel is refused with that reason', () => {
  expect(() => isServed(continuing({}, 8))).toThrow('the channel of the original task is gone');
  const disabled = continuing({ status: channelStatus.disabled });
  expect(() => isServed(disabled)).toThrow('the channel of the original task is disabled');
});
