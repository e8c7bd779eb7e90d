import { expect, it } from 'vitest';
import { askedBy, readViews, type SavedView, withView } from './saved-views.ts';

const view = (name: string, more: Partial<SavedView> = {}): SavedView => ({
  name,
  asked: { q: 'gpt', sort: '-quota' },
  columns: ['created'],
  ...more,
});

it('up to twenty views are saved, newest first, each name once', () => {
  const views = withView([view('a'), view('b')], view('b', { columns: [] }));
  expect(views.map(({ name, columns }) => [name, columns.length])).toEqual([
    ['b', 0],
    ['a', 1],
  ]);
  const many = Array.from({ length: 20 }, (_, at) => view(String(at)));
  expect(withView(many, view('new'))).toHaveLength(20);
  expect(withView(many, view('new'))[0]?.name).toBe('new');
});

it('a view removes filters that it does not have, and changes nothing else in the address', () => {
  expect(askedBy(view('a'), ['q', 'sort', 'group'])).toEqual({ q: 'gpt', sort: '-quota', group: undefined });
});

it('reads stored views, and drops invalid ones', () => {
  expect(readViews(JSON.parse(JSON.stringify([view('a')])))).toEqual([view('a')]);
  expect(
    readViews([null, 3, { name: 'x' }, { name: 'y', asked: { q: 1, a: 'b' }, columns: [1, 'c'] }]),
  ).toEqual([{ name: 'y', asked: { a: 'b' }, columns: ['c'] }]);
  expect([readViews(undefined), readViews({}), readViews('text')]).toEqual([[], [], []]);
});
