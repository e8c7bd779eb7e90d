import { expect, it } from 'vitest';
import { z } from 'zod';
import { editTag } from '#contract/api/channels/channel-batch.ts';
import { listChannels, updateChannel } from '#contract/api/channels/channels.ts';
import { createToken } from '#contract/api/people/tokens.ts';
import { channelEdit, channelFilter } from './channel-wire.ts';

/** Fields that take null, except those that take anything because no edit changes them. */
const emptied = Object.entries(updateChannel.body.shape).flatMap(([name, schema]) =>
  z.safeParse(schema, null).success && !z.safeParse(schema, Symbol('anything')).success ? [name] : [],
);

it.each(emptied)('%s of a channel is emptied by null, and not left as it is', (name) => {
  const edit = channelEdit(updateChannel.body.parse({ id: 1, [name]: null }));
  expect(Object.values(edit).map((value) => value || 'empty')).toEqual(['empty']);
});

it.each([
  ['1', 'enabled'],
  ['2', 'manual'],
  ['3', 'auto'],
  ['0', 'disabled'],
  ['disabled', 'disabled'],
  ['all', undefined],
])('a list of channels of status %s has those that are so: %s', (status, filter) => {
  expect(channelFilter(listChannels.query.parse({ status })).status).toBe(filter);
});

it('lists of models and groups are read as people type them: wide commas separate, too', () => {
  const sent = { id: 1, models: 'a，b , c', group: 'vip，default' };
  expect(channelEdit(updateChannel.body.parse(sent))).toEqual({ models: 'a,b,c', groups: 'vip,default' });
  expect(createToken.body.parse({ name: 't', model_limits: 'a，b\nc' }).model_limits).toBe('a,b,c');
  const tag = { tag: 't', models: 'a，b', groups: 'c，d' };
  expect(editTag.body.parse(tag)).toMatchObject({ models: 'a,b', groups: 'c,d' });
});
