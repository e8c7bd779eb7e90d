import { useQuery } from '@tanstack/react-query';
import { IconDownload } from '@tabler/icons-react';
import type { z } from 'zod';
import { exportEvidence, readEvidence } from '#contract/api/channels/evidence.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../kit/states.tsx';
import { StatusPill } from '../../kit/status.tsx';
import { call } from '../../lib/server/api.ts';
import { downloadFile } from '../../lib/server/download-file.ts';
import { formatCount, formatDuration, formatPercent, listed, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import type { Channel } from './channel.ts';

type Evidence = z.infer<typeof readEvidence.data>;
type ModelEvidence = Evidence['models'][number];

const DAYS = 30;

const ratio = (value: number | null): string => (value === null ? MISSING : `${value.toFixed(2)}×`);
const duration = (ms: number | null): string => (ms === null ? MISSING : formatDuration(ms));

interface EvidenceDialogProps {
  readonly channel: Channel;
  readonly onClose: () => void;
}

/** What a channel's replies reveal about its upstream, by model, with a file for disputes. */
const EvidenceDialog = ({ channel, onClose }: EvidenceDialogProps) => {
  const { t } = useTranslation('channel-evidence');
  const sent = { params: { id: channel.id }, query: { days: DAYS } };
  const query = useQuery({
    queryKey: ['channel-evidence', channel.id],
    queryFn: ({ signal }) => call(readEvidence, sent, signal),
    staleTime: 0,
  });
  const save = useAction({
    run: () =>
      downloadFile(exportEvidence, sent, `evidence-${channel.id}.csv`, new AbortController().signal, nothing),
    done: t('saved'),
  });
  const models = query.data?.models ?? [];
  return (
    <Dialog title={t('title', { name: channel.name })} width={1160} onClose={onClose}>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={120} width="100%" />}
      {query.data !== undefined && models.length === 0 && <EmptyState text={t('none')} />}
      <Lowered lowered={query.data?.lowered ?? null} />
      {models.length > 0 && (
        <>
          <EvidenceTable models={models} />
          <p className="meta">{t('about', { count: DAYS })}</p>
          <div>
            <Button
              icon={<IconDownload size={16} />}
              busy={save.isPending}
              onClick={() => save.mutate(undefined)}
            >
              {t('save')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
};

const nothing = (): void => undefined;

const Lowered = ({ lowered }: Pick<Evidence, 'lowered'>) => {
  const { t } = useTranslation('channel-evidence');
  if (lowered === null) return null;
  const { percent, model, finding } = lowered;
  return <Notice tone="warn">{t('lowered', { percent, model, finding: t(`finding.${finding}`) })}</Notice>;
};

const EvidenceTable = ({ models }: { readonly models: readonly ModelEvidence[] }) => {
  const { t } = useTranslation('channel-evidence');
  const columns = [
    { title: t('model') },
    { title: t('found') },
    { title: t('calls'), align: 'end' as const },
    { title: t('other'), align: 'end' as const },
    { title: t('output'), align: 'end' as const },
    { title: t('prompt'), align: 'end' as const },
    { title: t('first'), align: 'end' as const },
    { title: t('cache'), align: 'end' as const },
    { title: t('sealed'), align: 'end' as const },
  ];
  return (
    <SmallTable
      label={t('table')}
      isStackable
      columns={columns}
      rows={models.map((one) => ({
        id: one.model,
        cells: [
          <span key="model" className="mono evidence-model">
            {one.model}
          </span>,
          <Findings key="found" model={one} />,
          formatCount(one.calls),
          one.named === 0 ? MISSING : formatPercent(one.named_other / one.named),
          <Compared key="output" tokens={one.output} />,
          <Compared key="prompt" tokens={one.prompt} />,
          `${duration(one.first_token_ms.p50)} / ${duration(one.first_token_ms.p95)}`,
          formatCount(one.cache.impossible + one.cache.never_sent),
          <Sealed key="sealed" of={one.sealed} />,
        ],
      }))}
    />
  );
};

/** Wrong answers to sealed questions, compared with other channels. */
const Sealed = ({
  of: { asked, wrong, wrong_of_others: others },
}: {
  readonly of: ModelEvidence['sealed'];
}) => {
  const { t } = useTranslation('channel-evidence');
  if (asked === 0) return MISSING;
  return (
    <span data-tip={t('sealedTip')}>
      {`${String(wrong)} / ${String(asked)}`}
      {others !== null && <div className="meta">{t('others', { ratio: formatPercent(others) })}</div>}
    </span>
  );
};

/** The findings, and the models that replies named instead. */
const Findings = ({ model: { findings, other_names: names } }: { readonly model: ModelEvidence }) => {
  const { t } = useTranslation('channel-evidence');
  if (findings.length === 0) return <StatusPill tone="muted">{t('nothing')}</StatusPill>;
  return (
    <>
      {findings.map((finding) => (
        <StatusPill key={finding} tone="bad">
          {t(`finding.${finding}`)}
        </StatusPill>
      ))}
      {names.length > 0 && (
        <div className="meta">{t('named', { names: listed(names.map(({ name }) => name || MISSING)) })}</div>
      )}
    </>
  );
};

/** Reported divided by counted tokens, compared with other channels. */
const Compared = ({ tokens }: { readonly tokens: ModelEvidence['output'] }) => {
  const { t } = useTranslation('channel-evidence');
  return (
    <>
      {ratio(tokens.median)}
      {tokens.median_of_others !== null && (
        <div className="meta">{t('others', { ratio: ratio(tokens.median_of_others) })}</div>
      )}
    </>
  );
};

export default EvidenceDialog;
