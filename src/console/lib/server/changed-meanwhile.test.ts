import { describe, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { changesWith, saveOver } from './changed-meanwhile.ts';

describe('what a form changed', () => {
  test('is sent with the values that the server had shown, and nothing else is', () => {
    const shown = { name: 'a', models: 'as the server shows it', key_mark: 'x', used: 5 };
    const before = { name: 'a', models: 'm', key: '' };
    expect(changesWith(before, { name: 'a', models: 'm,n', key: '' }, shown)).toEqual({
      models: 'm,n',
      was: { models: 'as the server shows it' },
    });
    expect(changesWith(before, { ...before, key: 'sk-new' }, shown)).toEqual({
      key: 'sk-new',
      was: { key_mark: 'x' },
    });
    expect(changesWith(before, before, shown)).toEqual({});
  });
});

describe('saving what others have changed meanwhile', () => {
  const refusal = (code?: string): ApiError =>
    new ApiError('refused', 200, undefined, code === undefined ? {} : { code });

  test('is refused once; saving again overwrites the current values', async () => {
    const newest = { current: 'as it was' };
    const save = vi.fn<(shown: string) => Promise<void>>(async (shown) => {
      if (shown === 'as it was') throw refusal('changed_meanwhile');
    });
    const attempt = () => saveOver(newest, save, () => Promise.resolve('as it is'));
    await expect(attempt()).rejects.toThrow('refused');
    await attempt();
    expect(save.mock.calls).toEqual([['as it was'], ['as it is']]);
  });

  test('is still based on the values as read after a refusal for another reason', async () => {
    const newest = { current: 'as it was' };
    const read = vi.fn<() => Promise<string>>(() => Promise.resolve('as it is'));
    const save = () => Promise.reject(refusal('fresh_password_needed'));
    await expect(saveOver(newest, save, read)).rejects.toThrow('refused');
    expect([newest.current, read.mock.calls.length]).toEqual(['as it was', 0]);
  });
});
