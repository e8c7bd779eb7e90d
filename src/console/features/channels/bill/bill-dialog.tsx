import './bill.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { useUnloadGuard } from '../../../kit/dialogs/use-leave-guard.ts';
import { ErrorState, Skeleton } from '../../../kit/states.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import type { Channel } from '../channel.ts';
import { type BillSettings, type Compared, compareBill, firstSettings, lookAt } from './bill.ts';
import { BillResult } from './bill-result.tsx';
import { BillForm } from './bill-form.tsx';
import { ChooseFile } from './choose-file.tsx';

interface BillDialogProps {
  readonly channel: Channel;
  readonly onClose: () => void;
}

/** Ends what is under way when its owner goes. */
const useUnmountSignal = (): AbortSignal => {
  const [controller] = useState(() => new AbortController());
  useEffect(() => () => controller.abort(), [controller]);
  return controller.signal;
};

/** An upstream's file against the calls of a channel: choose it, say what its columns mean, see what differs. */
const BillDialog = ({ channel, onClose }: BillDialogProps) => {
  const { t } = useTranslation('channel-bill');
  const signal = useUnmountSignal();
  const [file, setFile] = useState<File>();
  const [changed, setChanged] = useState<BillSettings>();
  const [sentPart, setSentPart] = useState(0);
  const [compared, setCompared] = useState<Compared>();
  const look = useQuery({
    queryKey: ['bill-look', file?.name, file?.size, file?.lastModified],
    queryFn: ({ signal: stopped }) => lookAt(file as File, stopped),
    enabled: file !== undefined,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const settings = changed ?? (look.data && firstSettings(channel, look.data));
  const compare = useAction({
    run: async () => {
      if (file === undefined || settings === undefined) return;
      setSentPart(0);
      setCompared(await compareBill(channel, file, settings, signal, setSentPart));
    },
    quiet: true,
  });
  useUnloadGuard(() => compare.isPending);
  const choose = (chosen: File): void => {
    setFile(chosen);
    setChanged(undefined);
    compare.reset();
  };
  return (
    <Dialog title={t('title', { name: channel.name })} width={1160} onClose={onClose}>
      {compared !== undefined && file !== undefined && settings !== undefined ? (
        <BillResult
          compared={compared}
          bill={{ channel, file, settings }}
          signal={signal}
          onBack={() => setCompared(undefined)}
        />
      ) : (
        <>
          <ChooseFile file={file} onChoose={choose} />
          {look.isError && file !== undefined && (
            <ErrorState error={look.error} onRetry={() => void look.refetch()} />
          )}
          {look.isLoading && <Skeleton height={160} />}
          {file !== undefined && look.data !== undefined && settings !== undefined && (
            <BillForm
              channel={channel}
              look={look.data}
              settings={settings}
              onChange={setChanged}
              onCompare={() => compare.mutate()}
              sentPart={compare.isPending ? sentPart : undefined}
              error={compare.error}
            />
          )}
        </>
      )}
    </Dialog>
  );
};

export default BillDialog;
