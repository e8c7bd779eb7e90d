// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import NewYear from './new-year.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('shows confetti once, however often it is pressed, until the page reloads after 13 seconds', () => {
  vi.useFakeTimers();
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  render(<NewYear />);
  expect(document.querySelector('.confetti')).toBeNull();
  fireEvent.click(screen.getByRole('button'));
  fireEvent.click(screen.getByRole('button'));
  expect(document.querySelectorAll('.confetti i').length).toBeGreaterThan(50);
  act(() => void vi.advanceTimersByTime(12_999));
  expect(reload).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(1));
  expect(reload).toHaveBeenCalledTimes(1);
});
