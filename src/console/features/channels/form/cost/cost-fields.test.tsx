// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import CostFields from './cost-fields.tsx';

afterEach(cleanup);

/** The fields beside the JSON of the settings, as in the form of a channel. */
const show = (first: object) => {
  const Form = () => {
    const [setting, setSetting] = useState(JSON.stringify(first));
    return (
      <>
        <textarea aria-label="JSON" value={setting} onChange={(event) => setSetting(event.target.value)} />
        <CostFields
          setting={setting}
          onChange={setSetting}
          asked={() => ({}) as never}
          today={undefined}
          isRefused={false}
        />
      </>
    );
  };
  render(<Form />);
  const json = screen.getByLabelText<HTMLTextAreaElement>('JSON');
  return {
    read: (): unknown => JSON.parse(json.value),
    write: (text: string) => fireEvent.change(json, { target: { value: text } }),
    factor: (text: string) =>
      fireEvent.change(screen.getByLabelText('cost.factor'), { target: { value: text } }),
  };
};

test('costs and other settings that were changed as text are kept by the fields', () => {
  const { read, write, factor } = show({ cost: { factor: 1 } });
  write('{ "capacity": { "calls_per_minute": 5 }, "cost": { "factor": 1, "tools": { "web_search": 8 } } }');
  factor('0.5');
  expect(read()).toEqual({
    capacity: { calls_per_minute: 5 },
    cost: { factor: 0.5, tools: { web_search: 8 } },
  });
});

test('while the text is no JSON the fields cannot replace it, and are there again when it is', () => {
  const { write } = show({ capacity: { calls_per_minute: 5 }, cost: { factor: 1 } });
  write('{ "capacity": ');
  expect(screen.queryByLabelText('cost.factor')).toBeNull();
  write('{ "cost": { "factor": 3 } }');
  expect(screen.getByLabelText<HTMLInputElement>('cost.factor').value).toBe('3');
});

test('a row without a model stays while the rest of the settings is edited', () => {
  const { write } = show({ cost: { factor: 1 } });
  fireEvent.click(screen.getByRole('button', { name: 'cost.add' }));
  write('{ "retries": 2, "cost": { "factor": 1 } }');
  expect(screen.queryAllByLabelText('cost.model')).toHaveLength(1);
});
