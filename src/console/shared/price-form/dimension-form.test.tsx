// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { DimensionForm } from './dimension-form.tsx';

afterEach(cleanup);

test('when a model is taken out of a list, the next one has its own price dimensions, not those of the model before', () => {
  const told: unknown[] = [];
  const List = () => {
    const [models, setModels] = useState<readonly (Record<string, unknown> | undefined)[]>([
      { tiers: { flex: 0.5 } },
      { tiers: { priority: 2 } },
    ]);
    return (
      <>
        <button onClick={() => setModels(models.slice(1))}>out</button>
        {models.map((from, at) => (
          // As in lists whose models have no names yet.
          <DimensionForm
            key={at}
            from={from}
            unreadable={null}
            hasMedia={false}
            onChange={(value) => {
              told.push(value);
              setModels(models.with(at, value));
            }}
          />
        ))}
      </>
    );
  };
  render(<List />);
  const names = () => screen.getAllByLabelText<HTMLInputElement>('tiers.name').map(({ value }) => value);
  expect(names()).toEqual(['flex', 'priority']);
  fireEvent.click(screen.getByText('out'));
  expect(names()).toEqual(['priority']);
  fireEvent.change(screen.getByLabelText('tiers.name'), { target: { value: 'fast' } });
  expect(told).toEqual([{ tiers: { fast: 2 } }]);
  // An incomplete value stays as it is typed.
  fireEvent.change(screen.getByLabelText('tiers.name'), { target: { value: '' } });
  expect(names()).toEqual(['']);
});
