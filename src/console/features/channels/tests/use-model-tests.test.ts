// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Channel } from '../channel.ts';
import { useModelTests } from './use-model-tests.ts';

afterEach(() => vi.unstubAllGlobals());

it('a single model’s test leaves the marks of the others that wait for theirs', async () => {
  const answers = new Map<string, () => void>();
  vi.stubGlobal(
    'fetch',
    (path: string) =>
      new Promise((resolve) => {
        const model = new URL(path, 'http://here').searchParams.get('model') ?? '';
        answers.set(model, () => resolve(Response.json({ success: true, message: '', data: null, time: 1 })));
      }),
  );
  const { result } = renderHook(() => useModelTests({ id: 3 } as Channel));
  const many = Array.from({ length: 20 }, (_, at) => `model-${String(at)}`);
  act(() => void result.current.run(many, false));
  const waiting = () =>
    [...result.current.results.values()].filter(({ state }) => state === 'waiting').length;
  await expect.poll(() => answers.size).toBeGreaterThan(0);
  const before = waiting();
  expect(before).toBeGreaterThan(0);
  let isDone = false;
  act(() => void result.current.run(['alone'], false).then(() => (isDone = true)));
  await expect.poll(() => answers.has('alone')).toBe(true);
  await act(async () => answers.get('alone')?.());
  await expect.poll(() => isDone).toBe(true);
  expect(waiting()).toBe(before);
});
