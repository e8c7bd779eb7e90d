// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepFocus } from './kept-focus.ts';

let stop: () => void;
beforeEach(() => {
  stop = keepFocus();
  const row = (at: number, id: string): string =>
    `<tr data-row="${at}"><td><button id="${id}">More</button></td></tr>`;
  document.body.innerHTML =
    '<main id="content" tabindex="-1"><button id="clear">Clear filters</button>' +
    `<table><tbody>${row(1, 'one')}${row(2, 'two')}</tbody></table></main>` +
    '<div role="dialog" tabindex="-1" id="keys"><button id="key">Delete key</button></div>';
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

const element = (id: string): HTMLElement => document.getElementById(id) ?? expect.unreachable(id);

/** Takes away what has the focus, or the part that it is in. */
const lose = (id: string, part = `#${id}`): void => {
  element(id).focus();
  element(id).closest(part)?.remove();
};
const focused = (): string | undefined => document.activeElement?.id;

it('the row after a deleted one gets the focus', async () => {
  lose('one', 'tr');
  await expect.poll(focused).toBe('two');
});

it('after the last row the one before it gets the focus', async () => {
  lose('two', 'tr');
  await expect.poll(focused).toBe('one');
});

it('a button that takes the place of the pressed one gets it', async () => {
  const [save = expect.unreachable(), stop = expect.unreachable()] = ['save', 'stop'].map((id) =>
    Object.assign(document.createElement('button'), { id }),
  );
  element('clear').after(save);
  save.focus();
  // As React does it: first it takes away, then it adds.
  save.remove();
  element('clear').after(stop);
  await expect.poll(focused).toBe('stop');
});

it('the page gets it where nothing follows, a dialog where it is open', async () => {
  lose('clear');
  await expect.poll(focused).toBe('content');
  lose('key');
  await expect.poll(focused).toBe('keys');
});

it('a focus that was moved meanwhile stays there', async () => {
  lose('clear');
  element('two').focus();
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.activeElement?.id).toBe('two');
});
