// @vitest-environment happy-dom
import { render, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { focusPageLater, useFocusBack } from './use-focus-back.ts';

const Dialog = () => {
  useFocusBack();
  return <input aria-label="inside" />;
};
const Page = ({ isOpen }: { readonly isOpen: boolean }) => (
  <>
    <button type="button">opener</button>
    <button type="button">elsewhere</button>
    {isOpen && <Dialog />}
  </>
);

/** A dialog that was opened from the first button and has the focus. */
const opened = () => {
  const page = render(<Page isOpen={false} />);
  const opener = page.getByText('opener');
  opener.focus();
  page.rerender(<Page isOpen />);
  page.getByLabelText('inside').focus();
  return { ...page, opener };
};

it('the focus returns to the opener of a closed dialog', async () => {
  const { opener, rerender } = opened();
  rerender(<Page isOpen={false} />);
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

it('a focus that has moved elsewhere stays there', async () => {
  const { opener, rerender, getByText } = opened();
  const elsewhere = getByText('elsewhere');
  elsewhere.focus();
  rerender(<Page isOpen={false} />);
  // The look at where the focus is comes before this, since it was asked for before.
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.activeElement).toBe(elsewhere);
  expect(document.activeElement).not.toBe(opener);
});

const Layers = ({ open }: { readonly open: readonly string[] }) => (
  <main id="content" tabIndex={-1}>
    {!open.includes('empty') && <button type="button">opener</button>}
    {open.includes('drawer') && <Dialog key="drawer" />}
    {open.includes('made') && <Dialog key="made" />}
  </main>
);

/** A drawer that makes something and gives way to a dialog that tells of it. */
const made = async () => {
  const page = render(<Layers open={[]} />);
  const opener = page.getByText('opener');
  opener.focus();
  page.rerender(<Layers open={['drawer']} />);
  page.getByLabelText('inside').focus();
  page.rerender(<Layers open={['made']} />);
  page.getByLabelText('inside').focus();
  // The drawer has looked where the focus is.
  await new Promise((resolve) => setTimeout(resolve));
  return { ...page, opener };
};

it('a dialog opened from a closed drawer returns the focus to the opener of the drawer', async () => {
  const { opener, rerender } = await made();
  rerender(<Layers open={[]} />);
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

it('the page gets the focus if the opener is gone too', async () => {
  const { rerender } = await made();
  rerender(<Layers open={['empty']} />);
  await waitFor(() => expect(document.activeElement?.id).toBe('content'));
});

it('a new page gets the focus if what had it is gone, and not if something else has it', async () => {
  const { rerender, getByText } = render(<Layers open={[]} />);
  getByText('opener').focus();
  focusPageLater();
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.activeElement?.textContent).toBe('opener');
  rerender(<Layers open={['empty']} />);
  focusPageLater();
  await waitFor(() => expect(document.activeElement?.id).toBe('content'));
});
