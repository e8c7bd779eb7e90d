import { journalKinds } from '#contract/codes.ts';
import { IconDownload, IconFileTypePdf, IconShieldCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Button } from '../../kit/button.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { formatExact, formatQuotaExact } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { amountsInOrder, countedAsIssued } from './exact-amounts.ts';
import { type IssuedStatement, type Owner, saveProofs, saveStatement } from './statement-calls.ts';

type Statement = IssuedStatement['statement'];
type ModelLine = Statement['models'][number];

/** Every amount on the page. */
const unitsOf = (statement: Statement): readonly number[] => [
  statement.opening_units ?? statement.charged_before_units,
  statement.closing_units ?? statement.charged_after_units,
  statement.late_moved_units,
  ...statement.movements.map((one) => one.in_units + one.out_units),
  ...[...statement.models, ...statement.tokens, ...statement.late].map(({ units }) => units),
];

interface AmountProps {
  readonly text: string;
  readonly tip: string;
}

const Amount = ({ text, tip }: AmountProps) => (
  <span className="number nowrap" data-tip={tip}>
    {text}
  </span>
);

interface Shown {
  /** The amounts of lines below each other; the last is another, or the sum of the others. */
  readonly shown: (units: readonly number[], end: 'sum' | 'line') => readonly AmountProps[];
}

interface BalanceProps extends Shown {
  readonly statement: Statement;
}

type Line = readonly [id: string, name: ReactNode, units: number];

/** From the balance at the start to the one at the end. */
const Balance = ({ statement, shown }: BalanceProps) => {
  const { t } = useTranslation('statements');
  const kind = (name: string) => t(`kind.${journalKinds.find((known) => known === name) ?? 'other'}`);
  const isToken = statement.opening_units === null;
  // What was used raises the use of a token, and lowers the balance of an account.
  const sign = isToken ? 1 : -1;
  const used: Line[] = [['charged', t('used'), sign * statement.charged_units]];
  if (statement.late_units !== 0) used.push(['late', t('late'), sign * statement.late_units]);
  const lines: readonly Line[] = isToken
    ? [
        ['opening', t('usedBefore'), statement.charged_before_units],
        ...used,
        ['closing', t('usedAfter'), statement.charged_after_units],
      ]
    : [
        ['opening', t('opening'), statement.opening_units ?? 0],
        ...statement.movements.map((one): Line => [one.kind, kind(one.kind), one.in_units + one.out_units]),
        ...used,
        ...(statement.late_moved_units === 0
          ? []
          : [['moved', t('lateMoved'), statement.late_moved_units] as const]),
        ['closing', t('closing'), statement.closing_units ?? 0],
      ];
  const amounts = shown(
    lines.map(([, , units]) => units),
    'sum',
  );
  const rows = lines.map(([id, name], at) => ({
    id,
    cells: [name, <Amount key={id} text="" tip="" {...amounts[at]} />],
  }));
  return (
    <SmallTable
      label={t(isToken ? 'usedShort' : 'balance')}
      columns={[{ title: t('item') }, { title: t('amount'), align: 'end' }]}
      rows={rows.slice(0, -1)}
      foot={rows.slice(-1)}
    />
  );
};

interface UsedProps extends Shown {
  readonly title: string;
  readonly of: string;
  readonly lines: readonly (Omit<ModelLine, 'model'> & { readonly id: string; readonly name: string })[];
}

const Used = ({ title, of, lines, shown }: UsedProps) => {
  const { t } = useTranslation('statements');
  if (lines.length === 0) return null;
  const amounts = shown(
    lines.map(({ units }) => units),
    'line',
  );
  return (
    <section>
      <h2>{title}</h2>
      <SmallTable
        label={title}
        isStackable
        columns={[
          { title: of },
          { title: t('calls'), align: 'end' },
          { title: t('input'), align: 'end' },
          { title: t('output'), align: 'end' },
          { title: t('amount'), align: 'end' },
        ]}
        rows={lines.map((line, at) => ({
          id: line.id,
          cells: [
            line.name,
            formatExact(line.calls),
            formatExact(line.prompt_tokens),
            formatExact(line.completion_tokens),
            <Amount key="units" text="" tip="" {...amounts[at]} />,
          ],
        }))}
      />
    </section>
  );
};

/** On paper nobody knows in which zone it was printed: like the months, in UTC. */
const utcTime = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

interface StatementViewProps {
  readonly issued: IssuedStatement;
  readonly owner: Owner;
  readonly back: ReactNode;
}

/** One statement, on the screen and on paper. */
export const StatementView = ({ issued: { statement, sha256 }, owner, back }: StatementViewProps) => {
  const { t } = useTranslation('statements');
  const save = useAction({ run: (kind: 'csv' | 'pdf') => saveStatement(owner, statement.month, kind) });
  const isBusy = (kind: 'csv' | 'pdf') => save.isPending && save.variables === kind;
  const prove = useAction({ run: () => saveProofs(owner, statement.month) });
  const site = countedAsIssued(statement);
  const inOrder = amountsInOrder(unitsOf(statement), site);
  const shown: Shown['shown'] = (units, end) =>
    inOrder(units, end).map((text, at) => ({ text, tip: formatQuotaExact(units[at] ?? 0, site) }));
  const ofModel = (line: ModelLine) => ({ ...line, id: line.model, name: line.model || t('unknownModel') });
  return (
    <div className="statement">
      <PageHeader
        title={t('of', { month: statement.month })}
        about={t('about', { name: statement.name, issued: utcTime(statement.issued_at) })}
      >
        {back}
        <Button icon={<IconDownload size={16} />} busy={isBusy('csv')} onClick={() => save.mutate('csv')}>
          {t('csv')}
        </Button>
        {statement.opening_units !== null && (
          <Button
            icon={<IconShieldCheck size={16} />}
            busy={prove.isPending}
            data-tip={t('proofsTip', { origin: location.origin })}
            onClick={() => prove.mutate()}
          >
            {t('proofs')}
          </Button>
        )}
        <Button icon={<IconFileTypePdf size={16} />} busy={isBusy('pdf')} onClick={() => save.mutate('pdf')}>
          {t('pdf')}
        </Button>
      </PageHeader>
      <section>
        <h2>{t(statement.opening_units === null ? 'usedShort' : 'balance')}</h2>
        <Balance statement={statement} shown={shown} />
      </section>
      <Used title={t('byModel')} of={t('model')} lines={statement.models.map(ofModel)} shown={shown} />
      <Used title={t('lateTitle')} of={t('model')} lines={statement.late.map(ofModel)} shown={shown} />
      {statement.token_id === 0 && (
        <Used
          title={t('byToken')}
          of={t('token')}
          shown={shown}
          lines={statement.tokens.map((line) => ({
            ...line,
            id: String(line.token_id),
            name: line.name || (line.token_id === 0 ? t('noToken') : `#${line.token_id}`),
          }))}
        />
      )}
      <p className="meta statement-hash">
        {t('hash')} <span className="mono">{sha256}</span>
      </p>
    </div>
  );
};
