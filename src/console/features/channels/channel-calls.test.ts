// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endSession, startSession } from '../../lib/session/session.ts';
import type { Channel } from './channel.ts';
import { changeNumber, saveRemark, saveStatus } from './channel-calls.ts';
import { tagMany } from './channel-work.ts';

const channel = { id: 3, status: 3, tag: 'seen', priority: 5, remark: 'read' } as Channel;
let bodies: unknown[] = [];

beforeEach(() => {
  startSession({ id: 1, username: 'ada', display_name: 'Ada', role: 100, status: 1, group: 'default' });
  bodies = [];
  vi.stubGlobal('fetch', async (_address: string, { body }: { readonly body: string }) => {
    bodies.push(JSON.parse(body));
    return Response.json({ success: true, message: '', data: channel });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  endSession();
});

test("every change of a channel sends the values it was based on, so that it does not undo another admin's change", async () => {
  await saveStatus(channel, 'on');
  await changeNumber(channel, 'priority', 9);
  await saveRemark(channel, 'new');
  await tagMany([channel], 'new');
  expect(bodies).toEqual([
    { id: 3, status: 1, was: { status: 3 } },
    { id: 3, priority: 9, was: { priority: 5 } },
    { id: 3, remark: 'new', was: { remark: 'read' } },
    { ids: [3], tag: 'new', was: [{ id: 3, tag: 'seen' }] },
  ]);
});
