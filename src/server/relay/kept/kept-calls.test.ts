import { expect, it } from 'vitest';
import { Secrets } from '#core/secrets.ts';
import { noReply } from '../calls.ts';
import { writeEvents } from './kept-calls.ts';

const EVENTS = ['data: {"a":1}\n\n', 'data: {"a":2}\n\n', 'data: {"a":3}\n\n'];
const untilNothingHappens = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Events that come one by one, to a reader; `happened` says in which order. */
const sent = (drained: Promise<void>, hasRoom: boolean) => {
  const happened: string[] = [];
  const events = (async function* () {
    for (const event of EVENTS) {
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

it('an event goes out after what it changes is written down: the end of a response after its charge', async () => {
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
