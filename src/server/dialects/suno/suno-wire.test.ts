import { expect, it } from 'vitest';
import { readSubmission } from './suno-wire.ts';

it('a submission is accepted with an id, refused with a reason, or unknown', () => {
  expect(readSubmission({ code: 'success', data: 'id-1' })).toEqual({ upstreamId: 'id-1' });
  expect(readSubmission({ code: 'invalid_request', message: 'too long' })).toEqual({ problem: 'too long' });
  expect(readSubmission({ code: 7 })).toEqual({ problem: 'code 7' });
  expect(readSubmission({ code: 'success', data: '' })).toBeUndefined();
  expect(readSubmission(undefined)).toBeUndefined();
});
