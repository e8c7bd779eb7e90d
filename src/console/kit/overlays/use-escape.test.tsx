// @vitest-environment happy-dom
import { fireEvent, render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useEscape } from './use-escape.ts';

const Layer = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => {
  useEscape(onClose, isOpen);
  return null;
};

it('Escape closes only the topmost layer', () => {
  const closed: string[] = [];
  const both = (isUpperOpen: boolean) => (
    <>
      <Layer isOpen onClose={() => closed.push('lower')} />
      <Layer isOpen={isUpperOpen} onClose={() => closed.push('upper')} />
    </>
  );
  const { rerender } = render(both(false));
  rerender(both(true));
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(closed).toEqual(['upper']);
  rerender(both(false));
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(closed).toEqual(['upper', 'lower']);
});
