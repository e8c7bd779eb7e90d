import { expect, it } from 'vitest';
import { readReply, readTasks as readDrawings } from '../midjourney/midjourney-wire.ts';
import { readSubmission, readTasks } from './suno-wire.ts';

it('a submission is accepted with an id, refused with a reason, or unknown', () => {
  expect(readSubmission({ code: 'success', data: 'id-1' })).toEqual({ upstreamId: 'id-1' });
  expect(readSubmission({ code: 'invalid_request', message: 'too long' })).toEqual({ problem: 'too long' });
  expect(readSubmission({ code: 7 })).toEqual({ problem: 'code 7' });
  expect(readSubmission({ code: 'success', data: '' })).toBeUndefined();
  expect(readSubmission(undefined)).toBeUndefined();
});

const MOST_MS = 253_402_300_799_999;

it.each([
  [1_763_900_000.75, 1_763_900_000_750],
  [0.5, 500],
  [-4, undefined],
  [1e300, undefined],
  [Number.MAX_SAFE_INTEGER, undefined],
  ['1763900000', undefined],
  [null, undefined],
])('a time of a song, %j seconds, is whole milliseconds of a date, or not there: %j', (said, ms) => {
  const [task] = readTasks({
    code: 'success',
    data: [{ task_id: 't', status: 'SUCCESS', fail_reason: '', progress: '', submit_time: said }],
  });
  expect(task?.changes.submittedAtMs).toBe(ms);
  expect(task?.changes.status).toBe('SUCCESS');
});

it.each([
  [1_763_900_000_123, 1_763_900_000_123],
  [1.5, 1],
  [MOST_MS, MOST_MS],
  [MOST_MS + 1, undefined],
  [-1, undefined],
  [1e300, undefined],
])('a time of a drawing, %j milliseconds, is whole ones of a date, or not there: %j', (said, ms) => {
  const [task] = readDrawings([{ id: 't', status: 'SUCCESS', finishTime: said }]);
  expect(task?.changes.finishedAtMs).toBe(ms);
  expect(task?.changes.status).toBe('SUCCESS');
});

it('words of an upstream have no key, not even one it has masked itself, and no inner address', () => {
  const said = 'bad key sk-provi*****7890 at http://10.0.0.4:8080/mj';
  const shown = 'bad key [key] at [address]';
  expect(readReply({ code: 4, description: said })?.description).toBe(shown);
  const [drawing] = readDrawings([{ id: 't', status: 'FAILURE', failReason: said, description: said }]);
  expect(drawing?.changes).toMatchObject({ failReason: shown, description: shown });
  expect(readSubmission({ code: 'bad', message: said })).toEqual({ problem: shown });
  const [song] = readTasks({
    code: 'success',
    data: [{ task_id: 't', status: 'FAILURE', fail_reason: said }],
  });
  expect(song?.changes.failReason).toBe(shown);
});
