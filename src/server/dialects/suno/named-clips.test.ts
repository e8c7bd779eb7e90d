import { expect, test } from 'vitest';
import { clipsMadeIn } from './named-clips.ts';

test.each<[string, unknown, string[]]>([
  ['a list of clips', [{ id: 'a' }, { clip_id: 'b', title: 'c' }], ['a', 'b']],
  ['one clip', { id: 'a', text: 'b' }, ['a']],
  ['an object with its clips', { status: 'done', clips: [{ id: 'a' }], clip_ids: ['b'] }, ['a', 'b']],
  ['what is repeated of the request', [{ metadata: { id: 'x', history: [{ id: 'x' }] }, id: 'a' }], ['a']],
  ['words', [{ title: 'x', tags: ['x'], prompt: 'x' }, 'x', ['x']], []],
  ['nothing', null, []],
])('the clips that a task has made are read from %s', (_, data, made) => {
  expect([...clipsMadeIn(JSON.stringify(data))]).toEqual(made);
});
