// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { loadTexts } from '../lib/text/i18n.ts';
import { toasts } from '../lib/toasts.ts';
import zh from '../locales/zh/enter.json' with { type: 'json' };
import { CodeField } from './code-field.tsx';

beforeAll(() => loadTexts('enter'));
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json({ success: true, message: '', data: null })),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const asked = (): unknown[] => vi.mocked(fetch).mock.calls.map(([address]) => address);
const said = (): string[] => toasts.get().map(({ text }) => text);
const press = async (): Promise<void> => {
  fireEvent.click(screen.getByRole('button'));
  await act(() => vi.advanceTimersByTimeAsync(0));
};
const show = (email: string, take?: () => string | undefined) => {
  const human = { isOn: take !== undefined, take: take ?? (() => undefined) };
  return render(<CodeField email={email} value="" onChange={() => undefined} human={human} />);
};

it('locks for 30 seconds after a code was sent', async () => {
  show('ada@example.com');
  await press();
  expect([asked(), said()]).toEqual([['/api/verification?email=ada%40example.com'], [zh.code.sent]]);
  const button = screen.getByRole<HTMLButtonElement>('button');
  for (let second = 0; second < 30; second += 1) {
    expect(button.disabled).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(1000));
  }
  expect(button.disabled).toBe(false);
});

it('requires an address', async () => {
  show(' ');
  await press();
  expect([asked(), said()]).toEqual([[], [zh.code.emailNeeded]]);
});

it('asks to try again while the human check has no answer, and sends the answer once there is one', async () => {
  show('ada@example.com', () => undefined);
  await press();
  expect([asked(), said()]).toEqual([[], [zh.code.humanWaits]]);
  expect(zh.code.humanWaits).toBe('请稍后几秒重试，Turnstile 正在检查用户环境！');
  cleanup();
  show('ada@example.com', () => 'human');
  await press();
  expect(asked()).toEqual(['/api/verification?email=ada%40example.com&turnstile=human']);
});
