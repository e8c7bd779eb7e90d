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

it('nothing is saved while a number or date is half typed, not even by a dialog without a form; the rest can be pressed', () => {
  const done: string[] = [];
  const act = (name: string) => () => void done.push(name);
  render(
    <Layer label="Publish" kind="dialog" width={400} isWhole={false} layer={300} onClose={() => undefined}>
      <input aria-label="until" type="datetime-local" />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          done.push('sent');
        }}
      >
        <button id="send" type="submit" />
      </form>
      <button className="button button-primary" id="publish" onClick={act('published')} />
      <button className="button" id="add" onClick={act('added')} />
    </Layer>,
  );
  const field = screen.getByLabelText<HTMLInputElement>('until');
  const press = (): void => {
    for (const id of ['send', 'publish', 'add']) fireEvent.click(document.getElementById(id) ?? field);
  };
  // As browsers report a date without its day.
  const validity = { badInput: true };
  Object.defineProperty(field, 'validity', { value: validity });
  press();
  expect(done).toEqual(['added']);
  validity.badInput = false;
  press();
  expect(done).toEqual(['added', 'sent', 'published', 'added']);
});
