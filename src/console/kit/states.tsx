import { IconMoodEmpty, IconPlugConnectedX } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { useTranslation } from '../lib/text/i18n.ts';
import { ApiError, messageOf } from '../lib/server/api-error.ts';
import { noteShown } from '../lib/server/shown-errors.ts';
import { Button } from './button.tsx';

const Copy = lazy(() => import('./copy.tsx').then((file) => ({ default: file.Copy })));

/** Nothing here: one sentence and one action. */
export const EmptyState = ({
  text,
  icon,
  children,
}: {
  readonly text: string;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
}) => (
  <div className="state">
    <span className="state-icon">{icon ?? <IconMoodEmpty size={22} stroke={1.6} />}</span>
    <p>{text}</p>
    {children}
  </div>
);

/** Shown in place of data that could not be read: the error, its request id, and a button to try again. */
export const ErrorState = ({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}) => {
  const { t } = useTranslation();
  useEffect(() => noteShown(error), [error]);
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div className="state" role="alert">
      <span className="state-icon state-icon-bad">
        <IconPlugConnectedX size={22} stroke={1.6} />
      </span>
      <p>{messageOf(error)}</p>
      {requestId !== undefined && (
        <p className="meta">
          {t('error.requestId')}{' '}
          <Suspense fallback={<span className="mono">{requestId}</span>}>
            <Copy value={requestId} mono />
          </Suspense>
        </p>
      )}
      {onRetry !== undefined && <Button onClick={onRetry}>{t('action.retry')}</Button>}
    </div>
  );
};

/** A grey block in the shape of the content. Appears only if loading takes noticeably long. */
export const Skeleton = ({
  width = '100%',
  height = 14,
}: {
  readonly width?: number | string;
  readonly height?: number;
}) => <span className="skeleton" style={{ width, height }} aria-hidden />;

/** A notice above the content of a page. */
export const Notice = ({
  tone,
  children,
}: {
  readonly tone: 'info' | 'ok' | 'warn' | 'bad';
  readonly children: ReactNode;
}) => (
  <div className={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : 'note'}>
    {children}
  </div>
);
