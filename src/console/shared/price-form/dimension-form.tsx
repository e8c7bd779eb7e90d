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

interface Held {
  /** What is stored, as text, and what the draft has last made of it. */
  readonly from: string;
  readonly written: string;
  /** Undefined if what is stored is not readable. */
  readonly draft: PriceDraft | undefined;
}

const textOf = (value: unknown): string => JSON.stringify(value ?? {});

const heldOf = (from: unknown): Held => {
  const read = modelDimensions.safeParse(from ?? {});
  const text = textOf(from);
  return { from: text, written: text, draft: read.success ? draftOf(read.data) : undefined };
};

/** The price dimensions of one model, with a draft of its own. */
export const DimensionForm = ({ from, unreadable, hasMedia, onChange }: DimensionFormProps) => {
  const [held, setHeld] = useState<Held>(() => heldOf(from));
  const text = textOf(from);
  // Another model has taken the place of this one, or its price was taken over from elsewhere.
  if (held.from !== text) setHeld(held.written === text ? { ...held, from: text } : heldOf(from));
  const { draft } = held;
  if (draft === undefined) return unreadable;
  const props = {
    draft,
    wrong: wrongFields(draft),
    onEdit: (change: Partial<PriceDraft>) => {
      const next = { ...draft, ...change };
      const value = dimensionsOf(next);
      setHeld({ ...held, written: textOf(value), draft: next });
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
