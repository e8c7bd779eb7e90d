import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openaiChat } from '../dialects/openai-chat/openai-chat.ts';
import { openaiSpeech } from '../dialects/openai-audio/speech.ts';
import { LiveCalls } from './live-calls.ts';
import { heldCall } from './testing/answered-call.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clock = { now: () => Date.now(), monotonic: () => Date.now() };
const checkpoints: number[] = [];
const ledger = { checkpoint: async (_id: string, units: number) => void checkpoints.push(units) };

/** A stream that waits for its upstream, and what its caller got of it. */
const waitingStream = () => {
  const written: string[] = [];
  const held = heldCall(openaiChat, { write: (bytes) => written.push(bytes.toString()) > 0 });
  held.live.outlet.isListening = true;
  held.live.outlet.lastWriteMs = clock.monotonic();
  return { held: { ...held, startedMs: clock.monotonic() }, written };
};

it('a piece that may be the end of an answer is delayed by at most a second', async () => {
  const calls = new LiveCalls({ clock, ledger });
  const { held, written } = waitingStream();
  calls.add(held);
  held.live.outlet.keepEnd(Buffer.from('the last event'));
  held.live.outlet.lastWriteMs += 1;
  await vi.advanceTimersByTimeAsync(1000);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(written).toEqual(['the last event']);
  calls.delete(held);
  await calls.stop(0);
});

it('a stream that is complete keeps its end back until it is charged', async () => {
  const calls = new LiveCalls({ clock, ledger });
  const { held, written } = waitingStream();
  calls.add(held);
  held.live.outlet.keepEnd(Buffer.from('the last event'));
  held.live.outlet.isListening = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(written).toEqual([]);
  calls.delete(held);
  await calls.stop(0);
});

it('a stopping server says so at once, waits as long as configured, then cuts what still runs', async () => {
  const calls = new LiveCalls({ clock, ledger });
  const { held } = waitingStream();
  calls.add(held);
  expect(calls.isStopping).toBe(false);
  const stopped = calls.stop(3000);
  expect(calls.isStopping).toBe(true);
  await vi.advanceTimersByTimeAsync(2999);
  expect(held.live.stopped).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(held.live.stopped).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  calls.delete(held);
  await stopped;
  await vi.advanceTimersByTimeAsync(1000);
  expect(vi.getTimerCount()).toBe(0);
});

it('sound that began costs what it is assumed to cost whole, should the process be killed', async () => {
  const calls = new LiveCalls({ clock, ledger });
  const held = heldCall(openaiSpeech);
  const fields = { model: 'tts-1', input: 'a hundred characters'.repeat(5) };
  held.live.meter.produced = true;
  calls.checkpoint({ ...held, request: { ...held.request, fields } }, 1);
  expect(checkpoints.splice(0)).toEqual([100]);
  expect(held.live.meter.reported).toBeUndefined();
  await calls.stop(0);
});
