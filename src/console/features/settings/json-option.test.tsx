// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { JsonOption } from './json-option.tsx';

it('Enter in a new row makes it part of the option, so that the form is not saved without it', () => {
  let sent = 0;
  const Form = () => {
    const [text, setText] = useState('{"default":1}');
    return (
      <form onSubmit={() => (sent += 1)}>
        <JsonOption optionKey="GroupRatio" text={text} field={{ label: 'Groups' }} onChange={setText} />
        <output>{JSON.stringify(JSON.parse(text))}</output>
      </form>
    );
  };
  render(<Form />);
  fireEvent.click(screen.getByRole('button', { name: 'addRow' }));
  const cell = (column: string) => screen.getByLabelText(`Groups: column.${column} 2`);
  fireEvent.change(cell('name'), { target: { value: 'vip' } });
  fireEvent.change(cell('ratio'), { target: { value: '0.8' } });
  expect(fireEvent.keyDown(cell('ratio'), { key: 'Enter' })).toBe(false);
  expect([screen.getByRole('status').textContent, sent]).toEqual(['{"default":1,"vip":0.8}', 0]);
});

it('a name that another row has is not taken back in silence, in an old row or a new one', () => {
  const texts: string[] = [];
  render(
    <JsonOption
      optionKey="GroupRatio"
      text='{"default":1,"vip":0.8}'
      field={{ label: 'Twice' }}
      onChange={(text) => texts.push(text)}
    />,
  );
  const rename = (row: number, value: string) => {
    const cell = screen.getByLabelText(`Twice: column.name ${String(row)}`);
    fireEvent.change(cell, { target: { value } });
    fireEvent.blur(cell);
  };
  rename(2, 'default');
  expect(screen.getByRole('alert').textContent).toBe('rowTwice');
  rename(2, '');
  expect(screen.getByRole('alert').textContent).toBe('rowUnnamed');
  expect(texts).toEqual([]);
  rename(2, 'gold');
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.click(screen.getAllByRole('button', { name: 'addRow' }).at(-1) as HTMLElement);
  rename(3, 'vip');
  expect(screen.getByRole('alert').textContent).toBe('rowFreshTwice');
});
