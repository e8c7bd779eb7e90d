import { expect, test } from 'vitest';
import { CHANNEL_PRIORITY_MAX } from '#contract/limits.ts';
import { createBody, newChannel, type ChannelValues } from './channel-form.ts';
import { validateChannel } from './validate-channel.ts';

const good: ChannelValues = { ...newChannel, name: 'one', key: 'sk-1', models: ['m'] };
const problems = (changes: Partial<ChannelValues>) =>
  validateChannel({ ...good, ...changes }, undefined, (key) => key);

test.each([
  {},
  { priority: -999, weight: 0 },
  { priority: CHANNEL_PRIORITY_MAX },
  { priority: undefined, weight: undefined, max_input_tokens: undefined },
  {
    base_url: 'https://one.example/v1/',
    model_mapping: '{"a":"b"}',
    setting: '{}',
    param_override: '{"a":1}',
  },
  { type: '41', key: '{"private_key":"k"}' },
  { type: '33' },
  { type: '8', base_url: 'https://one.example/chat' },
  { models: ['m'.repeat(255)] },
])('a new channel with %j can be made', (changes) => {
  expect(problems(changes)).toEqual({});
});

test.each([
  [{ name: ' ' }, { name: 'invalid.nameAndKey' }],
  [{ key: '\n' }, { key: 'invalid.nameAndKey' }],
  [{ models: [] }, { models: 'invalid.models' }],
  [{ priority: 0.5 }, { priority: 'invalid.priority' }],
  [{ priority: -1000 }, { priority: 'invalid.priorityRange' }],
  [{ priority: CHANNEL_PRIORITY_MAX + 1 }, { priority: 'invalid.priorityRange' }],
  [{ weight: -1 }, { weight: 'invalid.weight' }],
  [{ weight: 1.5 }, { weight: 'invalid.weight' }],
  [{ max_input_tokens: -1 }, { max_input_tokens: 'invalid.number' }],
  [{ model_mapping: '{' }, { model_mapping: 'invalid.mapping' }],
  [{ model_mapping: '{"a":1}' }, { model_mapping: 'invalid.mapping' }],
  [{ model_mapping: '[]' }, { model_mapping: 'invalid.mapping' }],
  [{ status_code_mapping: '{' }, { status_code_mapping: 'invalid.json' }],
  [{ setting: '1' }, { setting: 'invalid.json' }],
  [{ setting: '{"cost":{"allowances":[{"name":"a"}]}}' }, { allowances: 'allowance.missing' }],
  [{ param_override: '[]' }, { param_override: 'invalid.json' }],
  [{ base_url: 'one.example' }, { base_url: 'invalid.address' }],
  [{ type: '3' }, { base_url: 'form.baseUrlNeeded' }],
  [{ type: '8', base_url: ' ' }, { base_url: 'form.baseUrlNeeded' }],
  [{ type: '39' }, { other: 'invalid.needed' }],
  [{ type: '49', other: ' ' }, { other: 'invalid.needed' }],
  [{ type: '108' }, { base_url: 'form.baseUrlNeeded' }],
  [{ models: ['m', 'm'.repeat(256)] }, { models: 'invalid.modelTooLong' }],
  [{ type: '41', key: '{"type":' }, { key: 'invalid.keyJson' }],
  [{ type: '41', key: 'AQ.Ab8RN6' }, {}],
] as const)('%j: %j', (changes, expected) => {
  expect(problems(changes as Partial<ChannelValues>)).toEqual(expected);
});

test('priority and weight are sent as whole numbers, a weight below 0 as 0', () => {
  expect(createBody({ ...good, priority: 7.9, weight: 2.9 })).toMatchObject({ priority: 7, weight: 2 });
  expect(createBody({ ...good, priority: undefined, weight: -3 })).toMatchObject({ priority: 0, weight: 0 });
});
