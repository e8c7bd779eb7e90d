import { columnRoles, MATCHED_WITHIN_SECONDS } from '#contract/channel/reconcile.ts';
import { Button } from '../../../kit/button.tsx';
import { NumberField } from '../../../kit/fields/number-field.tsx';
import { SelectField } from '../../../kit/fields/select-field.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { FoldedSection } from '../../../kit/folded-section.tsx';
import { Notice } from '../../../kit/states.tsx';
import { ProgressText } from '../../../kit/texts/progress-text.tsx';
import { SmallTable } from '../../../kit/tables/small-table.tsx';
import { messageOf } from '../../../lib/server/api-error.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import type { Channel } from '../channel.ts';
import type { BillLook, BillSettings } from './bill.ts';

interface BillFormProps {
  readonly channel: Channel;
  readonly look: BillLook;
  readonly settings: BillSettings;
  readonly onChange: (settings: BillSettings) => void;
  readonly onCompare: () => void;
  /** Which part of the file has been sent, from 0 to 1, while it is compared. */
  readonly sentPart: number | undefined;
  readonly error: unknown;
}

type PartProps = Pick<BillFormProps, 'settings' | 'onChange'>;

const ZONES: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

/** What the columns of a file say, and how it is compared. */
export const BillForm = (props: BillFormProps) => {
  const { t } = useTranslation('channel-bill');
  const { look, onCompare, sentPart, error } = props;
  return (
    <>
      {look.shape !== null && <Notice tone="ok">{t('known', { name: look.shape })}</Notice>}
      <Preview look={look} />
      <Columns {...props} />
      <Manner {...props} />
      {error !== null && error !== undefined && <Notice tone="bad">{messageOf(error)}</Notice>}
      <div className="bill-buttons">
        <Button variant="primary" busy={sentPart !== undefined} onClick={onCompare}>
          {t('compare')}
        </Button>
        {sentPart !== undefined && sentPart < 1 && (
          <ProgressText percent={`${Math.floor(sentPart * 100)}%`} label={t('sending')} />
        )}
        {sentPart !== undefined && (
          <span className="meta" role="status">
            {t(sentPart < 1 ? 'sending' : 'comparing')}
          </span>
        )}
      </div>
    </>
  );
};

const ROWS_SHOWN = 4;

const Preview = ({ look: { header, rows } }: { readonly look: BillLook }) => {
  const { t } = useTranslation('channel-bill');
  return (
    <section className="bill-part bill-preview">
      <h3>{t('firstRows')}</h3>
      <SmallTable
        label={t('firstRows')}
        columns={header.map((title, at) => ({ title: title || String(at + 1) }))}
        rows={rows.slice(0, ROWS_SHOWN).map((cells, at) => ({ id: String(at), cells: [...cells] }))}
      />
    </section>
  );
};

const SEVERAL = ' + ';

/** A column for each role; what is added up of several columns is one choice. */
const Columns = ({ look, settings, onChange }: PartProps & Pick<BillFormProps, 'look'>) => {
  const { t } = useTranslation('channel-bill');
  const titles = [...new Set(look.header.filter((title) => title !== ''))];
  const { kind, amount } = settings.columns;
  const roles = columnRoles.filter(
    (role) => (role !== 'kind' && role !== 'amount') || (kind ?? amount) !== undefined,
  );
  const set = (role: (typeof columnRoles)[number], chosen: string): void => {
    const { [role]: _, ...others } = settings.columns;
    const guessed = look.columns[role];
    const columns = guessed?.join(SEVERAL) === chosen ? guessed : [chosen];
    onChange({ ...settings, columns: chosen === '' ? others : { ...others, [role]: columns } });
  };
  return (
    <section className="bill-part">
      <h3>{t('columns')}</h3>
      <div className="bill-grid">
        {roles.map((role) => {
          const guessed = look.columns[role] ?? [];
          const sum = guessed.length > 1 ? [guessed.join(SEVERAL)] : [];
          return (
            <SelectField
              key={role}
              label={t(`role.${role}`)}
              placeholder={t('none')}
              clearable
              value={settings.columns[role]?.join(SEVERAL) ?? ''}
              choices={[...sum, ...titles].map((title) => ({ value: title, label: title }))}
              onChange={(chosen) => set(role, chosen)}
            />
          );
        })}
      </div>
    </section>
  );
};

const Manner = ({ channel, settings, onChange }: PartProps & Pick<BillFormProps, 'channel'>) => {
  const { t } = useTranslation('channel-bill');
  const set = (more: Partial<BillSettings>): void => onChange({ ...settings, ...more });
  const { tag } = channel;
  return (
    <section className="bill-part">
      <h3>{t('manner')}</h3>
      <div className="bill-grid">
        {tag !== null && tag !== '' && (
          <SelectField
            label={t('against')}
            value={settings.tag === '' ? 'channel' : 'tag'}
            choices={[
              { value: 'channel', label: t('thisChannel') },
              { value: 'tag', label: t('tagged', { tag }) },
            ]}
            onChange={(chosen) => set({ tag: chosen === 'tag' ? tag : '' })}
          />
        )}
        <SelectField
          label={t('by')}
          value={settings.by || 'auto'}
          choices={(['auto', 'call', 'day'] as const).map((value) => ({ value, label: t(`bys.${value}`) }))}
          onChange={(chosen) => set({ by: chosen === 'call' || chosen === 'day' ? chosen : '' })}
        />
        <SelectField
          label={t('zone')}
          value={settings.zone}
          choices={ZONES.map((zone) => ({ value: zone, label: zone }))}
          onChange={(zone) => set({ zone })}
        />
        <TextField
          label={t('currency')}
          value={settings.currency}
          maxLength={3}
          onChange={(currency) => set({ currency: currency.toUpperCase() })}
        />
      </div>
      <FoldedSection title={t('more')} about={t('moreAbout')}>
        <Rest settings={settings} onChange={onChange} />
      </FoldedSection>
    </section>
  );
};

const Rest = ({ settings, onChange }: PartProps) => {
  const { t } = useTranslation('channel-bill');
  const set = (more: Partial<BillSettings>): void => onChange({ ...settings, ...more });
  return (
    <div className="bill-grid">
      <TextField label={t('key')} value={settings.key} maxLength={200} onChange={(key) => set({ key })} />
      <NumberField
        label={t('within')}
        value={settings.withinSeconds}
        min={0}
        max={MATCHED_WITHIN_SECONDS.most}
        onChange={(seconds) => set({ withinSeconds: Number(seconds) || 0 })}
      />
      <SelectField
        label={t('dateOrder')}
        value={settings.dateOrder || 'auto'}
        choices={(['auto', 'day-first', 'month-first'] as const).map((value) => ({
          value,
          label: t(`dateOrders.${value}`),
        }))}
        onChange={(chosen) =>
          set({ dateOrder: chosen === 'day-first' || chosen === 'month-first' ? chosen : '' })
        }
      />
      <SelectField
        label={t('decimal')}
        value={settings.decimal || 'auto'}
        choices={(['auto', 'point', 'comma'] as const).map((value) => ({
          value,
          label: t(`decimals.${value}`),
        }))}
        onChange={(chosen) => set({ decimal: chosen === 'point' || chosen === 'comma' ? chosen : '' })}
      />
    </div>
  );
};
