// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { LoginForm } from './login-form.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('the second step offers no other way to sign in, and "back" shows all of them again', async () => {
  const data = { require_2fa: true, ticket: 'half way' };
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data }));
  render(
    <LoginForm onEntered={vi.fn<() => void>()}>
      <a href="/register">Register</a>
    </LoginForm>,
  );
  fireEvent.change(screen.getByLabelText('login.name'), { target: { value: 'ada' } });
  fireEvent.change(screen.getByLabelText('login.password'), { target: { value: 'a password' } });
  fireEvent.click(screen.getByRole('button', { name: 'login.submit' }));
  await screen.findByLabelText('login.code');
  expect(screen.queryByRole('link')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'login.back' }));
  expect((await screen.findByRole('link')).textContent).toBe('Register');
});
