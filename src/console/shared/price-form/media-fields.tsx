import { NumberField } from '../../kit/fields/number-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { PriceDraft } from './price-draft.ts';
import { PriceRows } from './price-rows.tsx';

interface MediaFieldsProps {
  readonly draft: PriceDraft;
  readonly wrong: ReadonlySet<string>;
  readonly onEdit: (change: Partial<PriceDraft>) => void;
}

/** Seconds and resolution of a price per call. */
export const MediaFields = ({ draft, wrong, onEdit }: MediaFieldsProps) => {
  const { t } = useTranslation('price-form');
  return (
    <>
      <PriceRows
        title={t('resolutions.title')}
        about={t('resolutions.about')}
        rows={draft.resolutions}
        fresh={{ name: '', factor: undefined }}
        onChange={(resolutions) => onEdit({ resolutions })}
      >
        {(row, at, edit) => (
          <>
            <TextField
              label={t('resolutions.name')}
              value={row.name}
              placeholder="1080p"
              error={wrong.has(`resolutions.${String(at)}.name`) ? t('wrong.name') : undefined}
              onChange={(name) => edit({ name })}
            />
            <NumberField
              label={t('resolutions.factor')}
              value={row.factor}
              min={0}
              max={1000}
              step="any"
              unit="×"
              error={wrong.has(`resolutions.${String(at)}.factor`) ? t('wrong.factor') : undefined}
              onChange={(factor) => edit({ factor })}
            />
          </>
        )}
      </PriceRows>
      <NumberField
        label={t('seconds.label')}
        hint={t('seconds.hint')}
        value={draft.seconds}
        min={0}
        max={36_000}
        step="any"
        error={wrong.has('seconds') ? t('wrong.seconds') : undefined}
        onChange={(seconds) => onEdit({ seconds })}
      />
    </>
  );
};
