import { expect, test } from 'vitest';
import { actionTone, durationOf, isAction, pictureOf, rangeOf, statusTone, submitTone } from './drawing.ts';

test('the default range is the last 30 days until an hour ahead', () => {
  const now = 10_000_000_000;
  expect(rangeOf({}, now)).toEqual({
    start_timestamp: now - 30 * 86_400_000,
    end_timestamp: now + 3_600_000,
  });
  expect(rangeOf({ time_from: '5', time_to: '7' }, now)).toEqual({
    start_timestamp: 5000,
    end_timestamp: 7000,
  });
});

test('a drawing of more than a minute is red', () => {
  expect(durationOf({ submit_time: 1, finish_time: 0 })).toBeUndefined();
  expect(durationOf({ submit_time: 1000, finish_time: 61_000 })).toEqual({ ms: 60_000, tone: 'ok' });
  expect(durationOf({ submit_time: 1000, finish_time: 61_001 })).toEqual({ ms: 60_001, tone: 'bad' });
});

test('each state and each answer to a submission has its colour', () => {
  expect(
    ['SUCCESS', 'FAILURE', 'IN_PROGRESS', 'SUBMITTED', 'NOT_START', 'MODAL', ''].map(statusTone),
  ).toEqual(['ok', 'bad', 'info', 'warn', 'muted', 'warn', 'muted']);
  expect([1, 21, 22, 0].map(submitTone)).toEqual(['ok', 'lime', 'warn', 'muted']);
});

test('every action of the specification has a colour', () => {
  const specified = {
    IMAGINE: 'info',
    UPSCALE: 'warn',
    VARIATION: 'ok',
    HIGH_VARIATION: 'ok',
    LOW_VARIATION: 'ok',
    PAN: 'info',
    DESCRIBE: 'warn',
    BLEND: 'lime',
    UPLOAD: 'info',
    SHORTEN: 'bad',
    REROLL: 'info',
    INPAINT: 'lime',
    ZOOM: 'ok',
    CUSTOM_ZOOM: 'ok',
    MODAL: 'ok',
    SWAP_FACE: 'ok',
  };
  expect(Object.keys(specified).map(actionTone)).toEqual(Object.values(specified));
  expect([isAction('SWAP_FACE'), isAction('swap_face'), actionTone('NEWER')]).toEqual([true, false, 'muted']);
});

test('a picture on this site is read from where the console was opened, another from where it is', () => {
  const picture = (image_url: string, serverAddress: string) =>
    pictureOf({ image_url, mj_id: 'id' }, serverAddress);
  expect(picture('https://gate.example/mj/image/id', 'https://gate.example/')).toBe('/mj/image/id');
  for (const elsewhere of ['https://cdn.example/a.png', 'https://other.example/mj/image/id', ''])
    expect(picture(elsewhere, 'https://gate.example')).toBe(elsewhere);
  expect(picture('/mj/image/id', '')).toBe('/mj/image/id');
});
