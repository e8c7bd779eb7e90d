// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { loadSiteStatus } from '../../lib/server/site-status.ts';
import { QuotaField } from './quota-field.tsx';

afterEach(cleanup);

it('offers whole dollars also on a site where a dollar is more units', async () => {
  const status = { system_name: 'Site', quota_per_unit: 1_000_000, display_in_currency: true };
  document.body.innerHTML = `<script type="application/json" id="site-status">${JSON.stringify(status)}</script>`;
  await loadSiteStatus();
  const onChange = vi.fn<(units: number | undefined) => void>();
  render(<QuotaField label="Quota" dollarPresets={[1, 10]} onChange={onChange} />);
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['$1.00', '$10.00']);
  fireEvent.click(screen.getByText('$10.00'));
  expect(onChange).toHaveBeenCalledWith(10_000_000);
});
