import { Suspense } from 'react';
import { lateSection } from '../../../../kit/late-section.tsx';
import { FoldedSection } from '../../../../kit/folded-section.tsx';
import { useTranslation } from '../../../../lib/text/i18n.ts';
import { createBody } from '../channel-form.ts';
import type { FoldedFieldsProps } from '../channel-fields.ts';

const CostFields = lateSection(() => import('./cost-fields.tsx'));

/** The operator's cost of the channel, read from and written to the JSON of its settings. */
export const CostSection = ({ form, before, onFocus }: FoldedFieldsProps) => {
  const { t } = useTranslation('channel-more');
  const isRefused = form.errors['allowances'] !== undefined;
  return (
    <FoldedSection title={t('cost.title')} about={t('cost.about')} isForcedOpen={isRefused} onFocus={onFocus}>
      <Suspense>
        <CostFields
          setting={form.getValues().setting}
          onChange={(setting) => form.setFieldValue('setting', setting)}
          today={before?.free_today}
          isRefused={isRefused}
          asked={() => ({ ...createBody(form.getValues()), ...(before !== undefined && { id: before.id }) })}
        />
      </Suspense>
    </FoldedSection>
  );
};
