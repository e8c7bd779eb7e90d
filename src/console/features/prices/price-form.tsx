import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { FormDrawer } from '../../kit/drawers/form-drawer.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { ApiError, messageOf } from '../../lib/server/api-error.ts';
import { formatExactPrice } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { type PricedModel, PRICES } from './price.ts';
import { useChange } from './use-change.tsx';
import { type PricePart, usePriceDraft } from './use-price-draft.ts';

const parts: readonly PricePart[] = ['input', 'output', 'cacheRead', 'cacheWrite'];

interface PriceFormProps {
  readonly row: PricedModel;
  readonly onClose: () => void;
}

/** The form of one model's price: by tokens or by call, in dollars or in ratios. */
export const PriceForm = ({ row: current, onClose }: PriceFormProps) => {
  const { t } = useTranslation('prices');
  // It is read anew after the network was away, too: what others have changed meanwhile is not what was looked at.
  const [row] = useState(current);
  const form = usePriceDraft(row);
  const change = useChange(t('change.one', { model: row.model }));
  const save = useAction({
    run: (lookedAt: PricedModel) => change.save([{ model: row.model, ...form.set }], [lookedAt]),
    refresh: [PRICES],
    quiet: true,
  });
  // Whoever saves again after having been told of the others' change means to replace it.
  const isTold = save.isError && !(save.error instanceof ApiError);
  const submit = (): void => {
    form.setTried(true);
    if (!form.isRight) return;
    const finish = (version: number | undefined): void => {
      onClose();
      toast('ok', change.saidOf(t('saved', { model: row.model }), version));
    };
    save.mutate(isTold ? current : row, { onSuccess: finish });
  };
  return (
    <FormDrawer
      title={row.model}
      onClose={onClose}
      onSubmit={submit}
      isDirty={form.isDirty}
      isSaving={save.isPending}
      error={save.isError ? messageOf(save.error) : undefined}
      width={520}
      foot={
        row.origin === 'own' && (
          <Button variant="plain" onClick={form.clear}>
            {t(row.catalogue === null ? 'clear' : 'useCatalogue')}
          </Button>
        )
      }
    >
      <Switches form={form} />
      {form.draft.mode === 'call' ? (
        <TextField
          label={t('usd.call')}
          value={form.draft.texts.call}
          error={form.errorOf('call')}
          autoFocus
          onChange={(text) => form.change('call', text)}
        />
      ) : (
        <TokenFields row={row} form={form} />
      )}
      {row.catalogue !== null && (
        <p className="meta number">
          {t('catalogueSays', {
            input: formatExactPrice(row.catalogue.input),
            output: formatExactPrice(row.catalogue.output),
          })}
        </p>
      )}
      {change.fields}
      <p className="meta">
        {row.variants > 0 && `${t('variants', { count: row.variants })} · `}
        <Link
          to="/setting"
          search={{ tab: 'operation', card: 'ratio', ratio: 'dimensions', model: row.model }}
          className="link"
        >
          {t('dimensions')}
        </Link>
      </p>
    </FormDrawer>
  );
};

interface PartProps {
  readonly form: ReturnType<typeof usePriceDraft>;
}

const Switches = ({ form: { draft, turnMode, turnUnit } }: PartProps) => {
  const { t } = useTranslation('prices');
  return (
    <div className="price-switches">
      <Segmented
        label={t('mode.label')}
        value={draft.mode}
        options={[
          { value: 'tokens', label: t('mode.tokens') },
          { value: 'call', label: t('mode.call') },
        ]}
        onChange={turnMode}
      />
      {draft.mode === 'tokens' && (
        <Segmented
          label={t('unit.label')}
          value={draft.unit}
          options={[
            { value: 'usd', label: t('unit.usd') },
            { value: 'ratio', label: t('unit.ratio') },
          ]}
          onChange={turnUnit}
        />
      )}
    </div>
  );
};

const emptyHint = ({ catalogue, usual }: PricedModel): 'emptyListed' | 'emptyRelated' | 'emptyUnknown' => {
  if (catalogue !== null) return 'emptyListed';
  return usual.completion === 1 ? 'emptyUnknown' : 'emptyRelated';
};

const TokenFields = ({ row, form }: PartProps & { readonly row: PricedModel }) => {
  const { t } = useTranslation('prices');
  const { draft, dollars } = form;
  return (
    <>
      <div className="price-fields">
        {parts.map((name) => (
          <TextField
            key={name}
            label={t(draft.unit === 'usd' ? `usd.${name}` : `ratio.${name}`)}
            value={draft.texts[name]}
            placeholder={form.usualText(name)}
            error={form.errorOf(name)}
            autoFocus={name === 'input'}
            onChange={(text) => form.change(name, text)}
          />
        ))}
      </div>
      <p className="field-hint">{t(emptyHint(row))}</p>
      {draft.unit === 'ratio' && dollars !== undefined && (
        <p className="field-hint number" role="status">
          {t('comesTo', { input: formatExactPrice(dollars.input), output: formatExactPrice(dollars.output) })}
        </p>
      )}
    </>
  );
};
