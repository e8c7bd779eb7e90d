import type { Column, View } from '../../kit/resource-table/column.ts';
import { BatchButton } from '../../kit/resource-table/batch-button.tsx';
import type { Filter } from '../../kit/resource-table/filter.ts';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { ProviderIcon } from '../../kit/provider-icon.tsx';
import { formatQuota } from '../../lib/text/format.ts';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { StatusPill } from '../../kit/status.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { toast } from '../../lib/toasts.ts';

interface Sample {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly quota: number;
}

const samples: readonly Sample[] = Array.from({ length: 230 }, (_, at) => ({
  id: 230 - at,
  name: `Channel ${230 - at}`,
  type: [1, 14, 24, 43, 8][at % 5] ?? 1,
  quota: (at * 7919 * 131) % 5_000_000,
}));

const columns: readonly Column<Sample>[] = [
  {
    id: 'name',
    title: 'Name',
    card: 'title',
    sortable: true,
    cell: (row) => (
      <span className="cell-main">
        <ProviderIcon type={row.type} />
        <span>
          <span className="cell-title">{row.name}</span>
          <span className="cell-meta">#{row.id}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    card: 'aside',
    cell: (row) => (
      <StatusPill tone={row.id % 7 === 0 ? 'bad' : 'ok'}>
        {row.id % 7 === 0 ? 'Banned' : 'Enabled'}
      </StatusPill>
    ),
  },
  {
    id: 'quota',
    title: 'Quota',
    align: 'end',
    sortable: true,
    amount: (row) => formatQuota(row.quota),
    cell: (row) => <QuotaText units={row.quota} />,
  },
  { id: 'time', title: 'Made', cell: (row) => <TimeText at={1_763_700_000 - row.id * 5000} /> },
  { id: 'type', title: 'Type', optional: true, cell: (row) => row.type },
];

const filters: readonly Filter[] = [
  {
    id: 'status',
    label: 'Status',
    kind: 'segments',
    choices: [
      { value: '', label: 'All', count: 230 },
      { value: 'bad', label: 'Banned' },
    ],
  },
  {
    id: 'type',
    label: 'Type',
    kind: 'select',
    choices: [
      { value: '1', label: 'OpenAI' },
      { value: '14', label: 'Claude' },
    ],
  },
  { id: 'time', label: 'Time', kind: 'time' },
];

const load = async (view: View) => {
  const found = samples.filter(
    (row) =>
      row.name.includes(view.search) &&
      (view.filters['type'] === '' || row.type === Number(view.filters['type'])) &&
      (view.filters['status'] !== 'bad' || row.id % 7 === 0),
  );
  const from = (view.page - 1) * view.pageSize;
  return { items: found.slice(from, from + view.pageSize), total: found.length };
};

export const SampleTable = ({ onEdit }: { readonly onEdit: (id: number) => void }) => (
  <ResourceTable
    name="samples"
    label="Samples"
    columns={columns}
    rowId={(row) => row.id}
    rowName={(row) => row.name}
    load={load}
    filters={filters}
    searchLabel="Search samples"
    emptyText="No samples"
    onEdit={(row) => onEdit(row.id)}
    expand={(row) => <p>More about {row.name}</p>}
    rowMenu={(row) => [
      { label: 'Copy', run: () => toast('ok', row.name) },
      { label: 'Delete', danger: true, parted: true, run: () => toast('bad', row.name) },
    ]}
    batch={(rows, clear) => (
      <BatchButton
        onClick={() => {
          toast('ok', `${rows.length} rows`);
          clear();
        }}
      >
        Enable
      </BatchButton>
    )}
  />
);
