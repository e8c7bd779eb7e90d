import { expect, it } from 'vitest';
import { Secrets } from '#core/secrets/secrets.ts';
import type { BackgroundResponse } from '#core/kept/background-response.ts';
import type { KeptResponse } from '#core/kept/kept-response.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { noReply } from '../calls.ts';
import type { BackgroundResponses } from './background-responses.ts';
import type { KeptResponses } from './kept-responses.ts';
import { passOnEvents, writeEvents } from './kept-calls.ts';

const EVENTS = ['data: {"a":1}\n\n', 'data: {"a":2}\n\n', 'data: {"a":3}\n\n'];
const untilNothingHappens = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Events that come one by one, to a reader; `happened` says in which order. */
const sent = (drained: Promise<void>, hasRoom: boolean, said = EVENTS) => {
  const happened: string[] = [];
  const events = (async function* () {
    for (const event of said) {
      happened.push('read');
      yield Buffer.from(event);
    }
  })();
  const reply = {
    ...noReply,
    write: () => {
      happened.push('written');
      return hasRoom;
    },
    drained: () => drained,
    end: () => void happened.push('ended'),
  };
  return { happened, reply, body: Object.assign(events, { discard: () => undefined }) };
};

it('the last event of a response goes out only after the charge is written', async () => {
  const charge = Promise.withResolvers<void>();
  const { happened, reply, body } = sent(Promise.resolve(), true);
  const over = writeEvents(reply, body, new Secrets([]), () => charge.promise);
  await untilNothingHappens();
  expect(happened).toEqual(['read']);
  charge.resolve();
  await over;
  expect(happened).toEqual(['read', 'written', 'read', 'written', 'read', 'written', 'ended']);
});

it('events are read no faster than their reader takes them', async () => {
  const room = Promise.withResolvers<void>();
  const { happened, reply, body } = sent(room.promise, false);
  const over = writeEvents(reply, body, new Secrets([]));
  await untilNothingHappens();
  expect(happened).toEqual(['read', 'written']);
  room.resolve();
  await over;
  expect(happened.at(-1)).toBe('ended');
});

it('a reader stays registered until its last event, which goes out after the charge', async () => {
  const output = [{ type: 'code_interpreter_call', container_id: 'cntr_1' }];
  const end = { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output } };
  const said = ['data: {"type":"response.in_progress"}\n\n', `data: ${JSON.stringify(end)}\n\n`];
  const { happened, reply, body } = sent(Promise.resolve(), true, said);
  const charge = Promise.withResolvers<void>();
  const noted: unknown[] = [];
  const background = standIn<BackgroundResponses>({
    listen: () => ({
      received: () => void happened.push('counted'),
      end: async () => void happened.push('no reader'),
    }),
    observe: async (_, { status }) => {
      await charge.promise;
      happened.push(`charged: ${status}`);
      return true;
    },
  });
  const kept = standIn<KeptResponses>({
    noteItems: (_: unknown, { containerIds }) => void noted.push(containerIds),
    noteLength: (at) => at,
  });
  const asked = {
    secrets: new Secrets([]),
    found: {} as KeptResponse,
    background: {} as BackgroundResponse,
  };
  const over = passOnEvents({ kept, background }, reply, body, asked);
  await untilNothingHappens();
  expect(happened).toEqual(['read', 'counted', 'written', 'read', 'counted']);
  charge.resolve();
  await over;
  expect(happened.slice(5)).toEqual(['charged: completed', 'written', 'ended', 'no reader']);
  expect(noted).toEqual([['cntr_1']]);
});

it('events of a response that is not in the background are counted by nobody', async () => {
  const end = { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [] } };
  const { happened, reply, body } = sent(Promise.resolve(), true, [`data: ${JSON.stringify(end)}\n\n`]);
  const kept = standIn<KeptResponses>({ noteItems: () => undefined, noteLength: (at) => at });
  const asked = { secrets: new Secrets([]), found: {} as KeptResponse, background: undefined };
  await passOnEvents({ kept, background: standIn<BackgroundResponses>({}) }, reply, body, asked);
  expect(happened).toEqual(['read', 'written', 'ended']);
});
