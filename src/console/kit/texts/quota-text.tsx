import { formatQuotaAligned, formatQuotaExact } from '../../lib/text/format.ts';

/** A quota as the site shows it, with every digit on hover. */
export const QuotaText = ({ units }: { readonly units: number }) => (
  <span className="number nowrap" data-tip={formatQuotaExact(units)}>
    {formatQuotaAligned(units)}
  </span>
);
