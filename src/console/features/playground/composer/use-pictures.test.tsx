// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { toasts } from '../../../lib/toasts.ts';
import { usePictures } from './use-pictures.ts';

it('a dropped file that is no picture is named, and the pictures beside it are added', async () => {
  const { result } = renderHook(() => usePictures());
  const files = [new File(['a'], 'notes.pdf', { type: 'application/pdf' }), new File([''], 'folder')];
  act(() => result.current.add([...files, new File(['p'], 'cat.png', { type: 'image/png' })]));
  await expect.poll(() => result.current.urls).toEqual(['data:image/png;base64,cA==']);
  expect(toasts.get().map(({ tone, text }) => [tone, text])).toEqual([['bad', 'picture.onlyPictures']]);
});
