import { expect, test } from 'vitest';
import { limitsOfModel, patienceFor, tooLate } from './patience.ts';

const repeatable = { stream: true, canRepeat: true };

test('a stream has a minute for its head, three for its first event; a whole reply ten', () => {
  const limits = { firstEventMs: 180_000, wholeMs: 600_000, idleMs: 300_000 };
  expect(patienceFor(undefined, undefined, repeatable)).toEqual({ ...limits, headMs: 60_000 });
  const whole = patienceFor({}, {}, { stream: false, canRepeat: true });
  expect(whole).toMatchObject({ headMs: 600_000, wholeMs: 600_000 });
});

test('a call that must not be done twice is given up late', () => {
  const patience = patienceFor(undefined, undefined, { stream: true, canRepeat: false });
  expect(patience).toMatchObject({ headMs: 600_000, firstEventMs: 600_000 });
});

test("each limit is the channel's, else the model's, else the default", () => {
  const own = { first_byte_timeout_ms: 2000 };
  const ofModel = { first_byte_timeout_ms: 3000, whole_reply_timeout_ms: 4000 };
  expect(patienceFor(own, ofModel, repeatable)).toEqual({
    headMs: 2000,
    firstEventMs: 180_000,
    wholeMs: 4000,
    idleMs: 300_000,
  });
});

test('a long wait for the head is not cut short by the defaults of what comes after it', () => {
  const patience = patienceFor({ first_byte_timeout_ms: 3_600_000 }, undefined, repeatable);
  expect(patience).toMatchObject({ headMs: 3_600_000, firstEventMs: 3_600_000, wholeMs: 3_600_000 });
});

test('a model has the limits of its own name, else of the longest matching prefix', () => {
  const [own, long, short] = [1000, 2000, 3000].map((ms) => ({ idle_timeout_ms: ms }));
  const limits = { o3: own ?? {}, 'o3-p*': long ?? {}, 'o*': short ?? {} };
  expect(['o3', 'o3-pro', 'o4', 'gpt-5', 'constructor'].map((model) => limitsOfModel(limits, model))).toEqual(
    [own, long, short, undefined, undefined],
  );
});

test('a failure says what was late, and after how long', () => {
  expect(tooLate('head', 60_000)).toMatchObject({
    code: 'upstream_timeout',
    message: 'the upstream sent no head within 60 s',
  });
});
