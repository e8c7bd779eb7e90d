// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { TextField } from '../../kit/fields/text-field.tsx';
import { ApiError } from './api-error.ts';
import { useSubmit } from './use-submit.ts';

afterEach(cleanup);

/** A form that the server refuses, saying which field is meant. */
const Form = ({ field }: { readonly field: string }) => {
  const { submit, problem, at } = useSubmit(['username', 'aff_code']);
  const refuse = () => Promise.reject(new ApiError('No such code', 200, undefined, { field }));
  return (
    <form className="card-form">
      {problem !== undefined && <p role="alert">{problem}</p>}
      <TextField label="Name" error={at('username')} onChange={() => undefined} />
      <TextField label="Invite" error={at('aff_code')} onChange={() => undefined} />
      <button type="button" onClick={() => submit(refuse)}>
        Send
      </button>
    </form>
  );
};

it('what the server refuses is said once, at its field, which has the focus', async () => {
  render(<Form field="aff_code" />);
  fireEvent.click(screen.getByRole('button'));
  expect((await screen.findByRole('alert')).textContent).toBe('No such code');
  const invite = screen.getByLabelText('Invite');
  expect(invite.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBeNull();
  await expect.poll(() => document.activeElement).toBe(invite);
});

it('what is about no field of the form is said above the fields', async () => {
  const { container } = render(<Form field="other" />);
  fireEvent.click(screen.getByRole('button'));
  await expect.poll(() => container.querySelector('p')?.textContent).toBe('No such code');
  expect(container.querySelector('[aria-invalid]')).toBeNull();
});
