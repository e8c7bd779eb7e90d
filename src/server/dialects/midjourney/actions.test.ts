import { expect, it } from 'vitest';
import { actionOfButton, actionOfChange, modelOfAction, readSimpleChange, withoutModes } from './actions.ts';

it.each([
  ['MJ::JOB::upsample::1::abc', 'UPSCALE'],
  ['MJ::JOB::variation::2::abc', 'VARIATION'],
  ['MJ::JOB::high_variation::1::abc::SOLO', 'HIGH_VARIATION'],
  ['MJ::JOB::low_variation::1::abc::SOLO', 'LOW_VARIATION'],
  ['MJ::JOB::pan_left::1::abc::SOLO', 'PAN'],
  ['MJ::JOB::reroll::0::abc::SOLO', 'REROLL'],
  ['MJ::Outpaint::50::1::abc::SOLO', 'ZOOM'],
  ['MJ::CustomZoom::abc', 'CUSTOM_ZOOM'],
  ['MJ::Inpaint::1::abc::SOLO', 'INPAINT'],
  ['MJ::JOB::upsample_v6_2x_subtle::1::abc::SOLO', 'UPSCALE'],
  ['MJ::BOOKMARK::abc', undefined],
])('the button %s does %s', (customId, action) => {
  expect(actionOfButton(customId)).toBe(action);
});

it('a change in one line names a task and what to do with it', () => {
  expect(readSimpleChange('abc U2')).toEqual({ taskId: 'abc', action: 'UPSCALE', change: 'U2' });
  expect(readSimpleChange(' abc  v4 ')).toEqual({ taskId: 'abc', action: 'VARIATION', change: 'V4' });
  expect(readSimpleChange('abc R')).toEqual({ taskId: 'abc', action: 'REROLL', change: 'R' });
  expect(['abc', 'abc U5', 'abc X1', 'U1', ''].map(readSimpleChange)).toEqual(Array(5).fill(undefined));
  expect([actionOfChange('upscale'), actionOfChange('constructor')]).toEqual(['UPSCALE', undefined]);
});

it('models are named after actions, and modes leave a prompt alone', () => {
  expect([modelOfAction('IMAGINE'), modelOfAction('SWAP_FACE')]).toEqual(['mj_imagine', 'swap_face']);
  expect(withoutModes('a fox --fast --ar 1:1 --Relax')).toBe('a fox --ar 1:1');
  expect(withoutModes('--faster')).toBe('--faster');
});
