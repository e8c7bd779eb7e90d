import '../../../shared/price-form/price-form.css';
import { useState } from 'react';
import { priceDimensions } from '#contract/options/price-dimensions.ts';
import { parsed } from '#contract/json-text.ts';
import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/states.tsx';
import { useUrlState } from '../../../lib/browser/url-state.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { savedRows } from '../ratio/visual-ratios.tsx';
import type { Settings } from '../use-settings.ts';
import { HoursFields, StepFields, TierFields } from '../../../shared/price-form/dimension-fields.tsx';
import {
  dimensionsOf,
  draftOf,
  type PriceDraft,
  wrongFields,
} from '../../../shared/price-form/price-draft.ts';
import { MediaFields } from '../../../shared/price-form/media-fields.tsx';
import { NameField } from '../../../shared/price-form/name-field.tsx';
import { WorkedExample } from './worked-example.tsx';

const KEY = 'PriceDimensions';

/** The price dimensions of one model, as a form over the option's JSON. */
const PriceForm = ({ settings }: { readonly settings: Settings }) => {
  const { t } = useTranslation('price-form');
  const { t: tCommon } = useTranslation();
  const [{ model: asked = '' }] = useUrlState();
  const [model, setModel] = useState(asked);
  const text = settings.text(KEY);
  const table = parsed(text.trim() === '' ? '{}' : text);
  const saved = priceDimensions.safeParse(parsed(settings.saved.get(KEY) ?? '{}'));
  if (typeof table !== 'object' || table === null || Array.isArray(table))
    return <Notice tone="bad">{t('notJson')}</Notice>;
  const known = new Set([
    ...Object.keys(saved.data ?? {}),
    ...Object.keys(table),
    ...savedRows(settings).map(({ name }) => name),
  ]);
  const name = model.trim();
  const isChanged = settings.changed([KEY]).length > 0;
  return (
    <div className="setting-body price-form">
      <NameField label={t('model')} hint={t('modelHint')} value={model} known={known} onChange={setModel} />
      {name !== '' && <ModelForm key={name} model={name} table={table} settings={settings} />}
      {!settings.isLocked(KEY) && (
        <div className="setting-foot">
          <span className="top-space" />
          {isChanged && (
            <Button
              variant="plain"
              onClick={() => {
                settings.discard([KEY]);
                setModel('');
              }}
            >
              {t('discard')}
            </Button>
          )}
          <Button
            variant={isChanged ? 'primary' : 'default'}
            busy={settings.isSaving}
            onClick={() => void settings.save([KEY])}
            aria-label={t('save')}
          >
            {tCommon('action.save')}
          </Button>
        </div>
      )}
    </div>
  );
};

interface ModelFormProps {
  readonly model: string;
  /** The whole option, by model. */
  readonly table: object;
  readonly settings: Settings;
}

const entryOf = (table: object, model: string): unknown =>
  Object.entries(table).find(([name]) => name === model)?.[1] ?? {};

const ModelForm = ({ model, table, settings }: ModelFormProps) => {
  const { t } = useTranslation('price-form');
  const [draft, setDraft] = useState<PriceDraft | undefined>(() => {
    const read = priceDimensions.safeParse({ [model]: entryOf(table, model) });
    const own = read.data === undefined ? undefined : Object.values(read.data)[0];
    return own === undefined ? undefined : draftOf(own);
  });
  if (draft === undefined) return <Notice tone="bad">{t('notReadable')}</Notice>;
  const wrong = wrongFields(draft);
  const dimensions = dimensionsOf(draft);
  const edit = (change: Partial<PriceDraft>): void => {
    const next = { ...draft, ...change };
    setDraft(next);
    const entry = dimensionsOf(next);
    const others = Object.entries(table).filter(([name]) => name !== model);
    const own = Object.keys(entry).length === 0 ? [] : [[model, entry] as const];
    settings.change(KEY, JSON.stringify(Object.fromEntries([...others, ...own]), null, 2));
  };
  const props = { draft, wrong, onEdit: edit };
  return (
    <div className="price-form-model">
      <fieldset className="price-form-fields" disabled={settings.isLocked(KEY)}>
        <legend className="hidden-visually">{model}</legend>
        <StepFields {...props} />
        <TierFields {...props} />
        <HoursFields {...props} />
        <MediaFields {...props} />
      </fieldset>
      <WorkedExample
        model={model}
        dimensions={wrong.size > 0 ? null : dimensions}
        tiers={draft.tiers.map(({ name }) => name).filter((name) => name !== '')}
        hasHours={draft.hours.length > 0}
        isBySecond={draft.seconds !== undefined}
        resolutions={draft.resolutions.map(({ name }) => name).filter((name) => name !== '')}
      />
      <details>
        <summary>{t('asJson')}</summary>
        <pre className="mono price-json">{JSON.stringify({ [model]: dimensions }, null, 2)}</pre>
      </details>
      {settings.problems[KEY] !== undefined && <Notice tone="bad">{settings.problems[KEY]}</Notice>}
    </div>
  );
};

export default PriceForm;
