// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Layer } from './layer.tsx';

afterEach(cleanup);

const names = (): string => `${document.activeElement?.tagName} ${document.activeElement?.id}`;
const tab = (shiftKey = false): boolean =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Tab', shiftKey });

it('a layer takes the focus, and Tab goes round in it, past radio buttons that are not chosen', async () => {
  let closed = 0;
  render(
    <Layer label="Rename" kind="dialog" width={400} isWhole={false} layer={300} onClose={() => (closed += 1)}>
      <button id="close" />
      <input id="first" data-autofocus />
      <input type="radio" name="kind" id="chosen" defaultChecked />
      <input type="radio" name="kind" id="other" />
      <button id="hidden" tabIndex={-1} />
      <button id="off" disabled />
    </Layer>,
  );
  await expect.poll(names).toBe('INPUT first');
  // In the middle the browser does it.
  expect(tab()).toBe(true);
  document.getElementById('chosen')?.focus();
  expect([tab(), names()]).toEqual([false, 'BUTTON close']);
  expect([tab(true), names()]).toEqual([false, 'INPUT chosen']);
  screen.getByRole('dialog', { name: 'Rename' }).focus();
  expect([tab(true), names()]).toEqual([false, 'INPUT chosen']);
  fireEvent.click(screen.getByRole('dialog'));
  expect(closed).toBe(0);
  fireEvent.click(document.querySelector('.layer-scrim') ?? document.body);
  expect(closed).toBe(1);
});
