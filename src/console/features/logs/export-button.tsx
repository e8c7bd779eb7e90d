import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Button, IconButton } from '../../kit/button.tsx';
import type { Filter } from '../../kit/resource-table/filter.ts';
import { useView } from '../../kit/resource-table/use-view.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { formatExact } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { toast } from '../../lib/toasts.ts';

interface ExportButtonProps {
  readonly isAdmin: boolean;
  readonly filters: readonly Filter[];
}

/** Downloads all filtered rows as a file; shows the progress and can be cancelled. */
const ExportButton = ({ isAdmin, filters }: ExportButtonProps) => {
  const { t } = useTranslation('logs');
  const { view } = useView(filters);
  const [progress, setProgress] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const start = async (): Promise<void> => {
    const controller = (running.current = new AbortController());
    setProgress(t('export.begun'));
    try {
      const { saveLogFile } = await import('./save-log-file.ts');
      await saveLogFile(isAdmin, view.filters, controller.signal, (rows, total) =>
        setProgress(t('export.progress', { rows: formatExact(rows), total: formatExact(total) })),
      );
    } catch (error) {
      if (!controller.signal.aborted) toast('bad', t('export.failed', { message: messageOf(error) }));
    } finally {
      setProgress(undefined);
    }
  };
  if (progress === undefined)
    return (
      <IconButton label={t('export.title')} onClick={() => void start()}>
        <IconDownload size={17} />
      </IconButton>
    );
  return (
    <Button size="small" onClick={() => running.current?.abort()} data-tip={t('export.stop')}>
      <span className="number" role="status">
        {progress}
      </span>
    </Button>
  );
};

export default ExportButton;
