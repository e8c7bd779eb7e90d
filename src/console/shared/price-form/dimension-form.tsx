import { type ReactNode, useState } from 'react';
import { modelDimensions } from '#contract/options/price-dimensions.ts';
import { HoursFields, StepFields, TierFields } from './dimension-fields.tsx';
import { MediaFields } from './media-fields.tsx';
import { dimensionsOf, draftOf, type PriceDraft, wrongFields } from './price-draft.ts';

interface DimensionFormProps {
  /** What is stored. */
  readonly from: unknown;
  /** Shown instead if that is not readable. */
  readonly unreadable: ReactNode;
  /** Whether there are fields for seconds and resolutions. */
  readonly hasMedia: boolean;
  /** Undefined for no dimensions. A wrong value is one that is refused. */
  readonly onChange: (value: Record<string, unknown> | undefined, isWrong: boolean) => void;
}

/** The price dimensions of one model, with a draft of its own. */
export const DimensionForm = ({ from, unreadable, hasMedia, onChange }: DimensionFormProps) => {
  const [draft, setDraft] = useState<PriceDraft | undefined>(() => {
    const read = modelDimensions.safeParse(from ?? {});
    return read.success ? draftOf(read.data) : undefined;
  });
  if (draft === undefined) return unreadable;
  const props = {
    draft,
    wrong: wrongFields(draft),
    onEdit: (change: Partial<PriceDraft>) => {
      const next = { ...draft, ...change };
      setDraft(next);
      const value = dimensionsOf(next);
      onChange(Object.keys(value).length === 0 ? undefined : value, wrongFields(next).size > 0);
    },
  };
  return (
    <div className="price-form-fields">
      <StepFields {...props} />
      <TierFields {...props} />
      <HoursFields {...props} />
      {hasMedia && <MediaFields {...props} />}
    </div>
  );
};
