// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { queryClient, useAction } from './query.ts';

const begun: number[] = [];
let end: () => void;

const Pay = ({ id }: { readonly id: number }) => {
  const pay = useAction({
    run: (order: { readonly id: number }) => {
      begun.push(order.id);
      return new Promise<void>((resolve) => (end = resolve));
    },
  });
  return (
    <button type="button" onClick={() => pay.mutate({ id })}>
      Pay
    </button>
  );
};

it('what is done is not begun twice by a second click before its answer; something else is', async () => {
  const shown = (id: number) => (
    <QueryClientProvider client={queryClient}>
      <Pay id={id} />
    </QueryClientProvider>
  );
  const { rerender } = render(shown(1));
  const click = () => act(async () => screen.getByRole('button').click());
  await act(async () => {
    screen.getByRole('button').click();
    screen.getByRole('button').click();
  });
  await click();
  expect(begun).toEqual([1]);
  rerender(shown(2));
  await click();
  expect(begun).toEqual([1, 2]);
  await act(async () => end());
  await click();
  expect(begun).toEqual([1, 2, 2]);
});
