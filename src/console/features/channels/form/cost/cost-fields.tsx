import './cost-fields.css';
import { IconTrash } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { isPaidTool, paidTools } from '#contract/options/tool-prices.ts';
import { late } from '../../../../kit/late.tsx';
import { lateSection } from '../../../../kit/late-section.tsx';
import { Button, IconButton } from '../../../../kit/button.tsx';
import { NumberField } from '../../../../kit/fields/number-field.tsx';
import { SelectField } from '../../../../kit/fields/select-field.tsx';
import { TextField } from '../../../../kit/fields/text-field.tsx';
import { FoldedSection } from '../../../../kit/folded-section.tsx';
import { Notice } from '../../../../kit/states.tsx';
import { useTranslation, withTexts } from '../../../../lib/text/i18n.ts';
import { toast } from '../../../../lib/toasts.ts';
import { AllowanceFields } from './allowance-fields.tsx';
import { allowanceProblems, type AllowanceRow, emptyAllowance, type FreeToday } from './allowance-rows.ts';
import { type AskedChannel, withTaken } from './asked-prices.ts';
import {
  amountText,
  type CostDraft,
  type CostRow,
  costText,
  emptyRow,
  exampleCost,
  furtherText,
  isTwice,
  readCost,
  type ToolRow,
  withCost,
} from './channel-cost.ts';

const MoreCosts = lateSection(withTexts('price-form', () => import('./more-costs.tsx')));
const AskedPrices = late(() => import('./asked-prices-dialog.tsx'));

interface CostFieldsProps {
  /** The settings as JSON. */
  readonly setting: string;
  readonly onChange: (setting: string) => void;
  /** The channel as entered, to ask its upstream with. */
  readonly asked: () => AskedChannel;
  /** What was given today of the saved allowances. */
  readonly today: FreeToday | undefined;
  /** Whether saving was refused for what the allowances say. */
  readonly isRefused: boolean;
}

interface Held {
  /** The settings that the draft is of, and the costs that it has made of them. */
  readonly setting: string;
  readonly text: string | undefined;
  readonly draft: CostDraft | undefined;
}

const heldOf = (setting: string): Held => ({ setting, text: costText(setting), draft: readCost(setting) });

/** The operator's cost of the channel: a share of the list price, or a table by model. */
const CostFields = ({ setting, onChange, asked, today, isRefused }: CostFieldsProps) => {
  const { t } = useTranslation('channel-more');
  const [held, setHeld] = useState<Held>(() => heldOf(setting));
  // The settings are also edited as text. Rows without a model, which are not in it, stay as long as it has the same costs.
  if (held.setting !== setting)
    setHeld(held.text === costText(setting) ? { ...held, setting } : heldOf(setting));
  const { draft } = held;
  const [isAsking, setIsAsking] = useState(false);
  if (draft === undefined) return <Notice tone="warn">{t('cost.unreadable')}</Notice>;
  const change = (changes: Partial<CostDraft>): void => {
    const next = { ...draft, ...changes };
    const written = withCost(setting, next);
    setHeld({ setting, text: costText(written), draft: next });
    onChange(written);
  };
  const { currency, factor, rows, tools, allowances } = draft;
  const shown = currency.trim() === '' ? 'USD' : currency.trim().toUpperCase();
  const changeRow = (at: number, changes: Partial<CostRow>): void =>
    change({ rows: rows.map((row, index) => (index === at ? { ...row, ...changes } : row)) });
  return (
    <>
      <div className="field-pair">
        <TextField
          label={t('cost.currency')}
          hint={t('cost.currencyHint')}
          placeholder="USD"
          maxLength={3}
          value={currency}
          error={/^[a-z]{3}$/i.test(shown) ? undefined : t('cost.currencyWrong')}
          onChange={(text) => change({ currency: text })}
        />
        <NumberField
          label={t('cost.factor')}
          hint={
            factor === undefined
              ? t('cost.factorHint')
              : t('cost.factorExample', { paid: `${amountText(factor)} ${shown}` })
          }
          min={0}
          max={1000}
          step="any"
          value={factor}
          onChange={(value) => change({ factor: value })}
        />
      </div>
      {rows.map((row, at) => (
        <CostRowFields
          key={at}
          row={row}
          isTwice={isTwice(rows, at)}
          currency={shown}
          onChange={(changes) => changeRow(at, changes)}
          onRemove={() => change({ rows: rows.filter((_, index) => index !== at) })}
        />
      ))}
      <div className="cost-actions">
        <Button onClick={() => change({ rows: [...rows, emptyRow] })}>{t('cost.add')}</Button>
        <Button onClick={() => setIsAsking(true)}>{t('cost.ask')}</Button>
      </div>
      <ToolList rows={tools} currency={shown} onChange={(next) => change({ tools: next })} />
      <AllowanceList
        rows={allowances}
        today={today}
        isRefused={isRefused}
        onChange={(next) => change({ allowances: next })}
      />
      {isAsking && (
        <Suspense>
          <AskedPrices
            asked={asked}
            rows={rows}
            currency={shown}
            onClose={() => setIsAsking(false)}
            onTake={(taken) => {
              setIsAsking(false);
              change({ rows: withTaken(rows, taken) });
              toast('ok', t('cost.taken', { count: taken.length }));
            }}
          />
        </Suspense>
      )}
    </>
  );
};

interface ToolListProps {
  readonly rows: readonly ToolRow[];
  readonly currency: string;
  readonly onChange: (rows: readonly ToolRow[]) => void;
}

const ToolList = ({ rows, currency, onChange }: ToolListProps) => {
  const { t } = useTranslation('channel-more');
  const left = paidTools.filter((name) => !rows.some(({ tool }) => tool === name));
  const [next] = left;
  return (
    <>
      {rows.map((row, at) => (
        <fieldset key={at} className="cost-row">
          <legend className="hidden-visually">{row.tool}</legend>
          <div className="cost-tool">
            <SelectField
              label={t('cost.tool')}
              value={row.tool}
              choices={[row.tool, ...left].map((name) => ({ value: name, label: name }))}
              onChange={(name) =>
                onChange(rows.with(at, { ...row, tool: isPaidTool(name) ? name : row.tool }))
              }
            />
            <NumberField
              label={t('cost.perThousand')}
              hint={at === 0 ? t('cost.toolsAbout') : undefined}
              min={0}
              step="any"
              unit={currency}
              value={row.price}
              onChange={(price) => onChange(rows.with(at, { ...row, price }))}
            />
            <IconButton
              label={t('cost.remove', { name: row.tool })}
              onClick={() => onChange(rows.toSpliced(at, 1))}
            >
              <IconTrash size={16} />
            </IconButton>
          </div>
        </fieldset>
      ))}
      {next !== undefined && (
        <div className="cost-actions">
          <Button onClick={() => onChange([...rows, { tool: next, price: undefined }])}>
            {t('cost.addTool')}
          </Button>
        </div>
      )}
    </>
  );
};

interface AllowanceListProps {
  readonly rows: readonly AllowanceRow[];
  readonly today: FreeToday | undefined;
  readonly isRefused: boolean;
  readonly onChange: (rows: readonly AllowanceRow[]) => void;
}

const AllowanceList = ({ rows, today, isRefused, onChange }: AllowanceListProps) => {
  const { t } = useTranslation('channel-more');
  const problems = allowanceProblems(rows);
  return (
    <>
      {rows.map((row, at) => (
        <AllowanceFields
          key={at}
          row={row}
          problems={problems[at] ?? {}}
          isRefused={isRefused}
          today={today}
          onChange={(changes) => onChange(rows.with(at, { ...row, ...changes }))}
          onRemove={() => onChange(rows.toSpliced(at, 1))}
        />
      ))}
      <div className="cost-actions">
        <Button onClick={() => onChange([...rows, emptyAllowance])}>{t('allowance.add')}</Button>
      </div>
    </>
  );
};

interface CostRowProps {
  readonly row: CostRow;
  /** An earlier row is of the same model. */
  readonly isTwice: boolean;
  readonly currency: string;
  readonly onChange: (changes: Partial<CostRow>) => void;
  readonly onRemove: () => void;
}

const CostRowFields = ({ row, isTwice, currency, onChange, onRemove }: CostRowProps) => {
  const { t } = useTranslation('channel-more');
  const example = exampleCost(row);
  const isByCall = row.call !== undefined;
  const price = (name: 'input' | 'output' | 'cacheRead' | 'call', isOff = false) => (
    <NumberField
      label={t(`cost.${name}`)}
      min={0}
      step="any"
      disabled={isOff}
      value={row[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <fieldset className="cost-row">
      <legend className="hidden-visually">{row.model || t('cost.model')}</legend>
      <TextField
        label={t('cost.model')}
        mono
        value={row.model}
        maxLength={255}
        error={isTwice ? t('cost.twice') : undefined}
        onChange={(model) => onChange({ model })}
      />
      <div className="cost-prices">
        {price('input', isByCall)}
        {price('output', isByCall)}
        {price('cacheRead', isByCall)}
        {price('call')}
        <IconButton label={t('cost.remove', { name: row.model })} onClick={onRemove}>
          <IconTrash size={16} />
        </IconButton>
      </div>
      <p className="meta" aria-live="polite">
        {example === undefined
          ? t('cost.missing')
          : t(isByCall ? 'cost.exampleCall' : 'cost.example', { paid: `${amountText(example)} ${currency}` })}
      </p>
      <FoldedSection title={t('cost.more')} about={furtherText(row, t) || t('cost.moreAbout')}>
        <Suspense>
          <MoreCosts row={row} onChange={(others) => onChange({ others })} />
        </Suspense>
      </FoldedSection>
    </fieldset>
  );
};

export default CostFields;
