// @vitest-environment happy-dom
import { useForm } from '@mantine/form';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ApiError } from '../../lib/server/api-error.ts';
import { TextField } from '../fields/text-field.tsx';
import { useRefusal } from './use-refusal.ts';

afterEach(cleanup);

const refusalAt = (field: string): Error => new ApiError('Not allowed', 200, undefined, { field });

const Form = ({ error, isFolded = false }: { readonly error: Error | null; readonly isFolded?: boolean }) => {
  const form = useForm({ initialValues: { name: 'a', groups: 'b' } });
  const above = useRefusal(form, error, { group: 'groups' });
  return (
    <form className="drawer">
      <output>{above}</output>
      <TextField label="Name" {...form.getInputProps('name')} />
      {!isFolded && <TextField label="Groups" {...form.getInputProps('groups')} />}
    </form>
  );
};
const above = (): string => screen.getByRole('status').textContent;

it('a refusal is at its field, under whatever name, until somebody types there', async () => {
  render(<Form error={refusalAt('group')} />);
  const field = screen.getByLabelText('Groups');
  expect([screen.getByRole('alert').textContent, above()]).toEqual(['Not allowed', '']);
  await expect.poll(() => document.activeElement).toBe(field);
  await act(async () => fireEvent.change(field, { target: { value: 'c' } }));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('a refusal of a field that is not drawn, or of none, is above the fields', async () => {
  const { rerender } = render(<Form error={refusalAt('group')} isFolded />);
  await expect.poll(above).toBe('Not allowed');
  rerender(<Form error={new Error('The server is busy')} />);
  expect(above()).toBe('The server is busy');
});
