import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { useGateway } from '../faults/use-gateway.ts';

const { start, good } = useGateway();

const OPTIONS = {
  ModelRatio: { slow: 1, 'whisper-live': 2 },
  CompletionRatio: { slow: 1, 'whisper-live': 1 },
};
/** What a first answer holds. */
const HELD = 8192;
/** 13 tokens heard and 9 written, at a ratio of 2. */
const WRITTEN = 44;
const TIMES = 5;

test('a transcript that arrives while an answer holds the whole balance is paid, and ends the conversation', async () => {
  const rig = await start([good({ models: 'slow' })], OPTIONS, HELD);
  const socket = new WebSocket(`${rig.url.replace('http', 'ws')}/v1/realtime?model=slow`, ['realtime'], {
    headers: { authorization: `Bearer ${rig.key}` },
  });
  const said: string[] = [];
  socket.on(
    'message',
    (data: Buffer) => void said.push((JSON.parse(data.toString()) as { type: string }).type),
  );
  const closed = new Promise((resolve) => {
    socket.once('close', (code, reason) => resolve([code, reason.toString()]));
  });
  await new Promise<void>((resolve) => void socket.once('open', resolve));
  socket.send('{"type":"response.create"}');
  await expect.poll(() => said).toContain('response.output_audio_transcript.delta');
  for (let time = 0; time < TIMES; time += 1) socket.send('{"type":"input_audio_buffer.commit"}');
  expect(await closed).toEqual([1008, 'insufficient_user_quota']);
  await expect.poll(() => rig.openHolds()).toBe(0);
  await expect
    .poll(async () => (await rig.logs()).filter(({ quota }) => quota === WRITTEN).length)
    .toBeGreaterThan(0);
  const rows = await rig.logs();
  const written = rows.filter(({ other }) => !other.includes('"estimated":true'));
  expect(written.every(({ quota }) => quota === WRITTEN)).toBe(true);
  expect(rows.length - written.length).toBe(1);
  expect(rows.every(({ other }) => !other.includes('not_charged_units'))).toBe(true);
  const { left, used } = await rig.balance();
  expect([left + used, left > 0]).toEqual([HELD, true]);
});
