import { useSignal } from '../lib/browser/signal.ts';
import { tryNow, useConnection } from '../lib/server/connection.ts';
import { failedReads, readAgain, slowReads } from '../lib/server/slow-reads.ts';
import { useTranslation } from '../lib/text/i18n.ts';

/** A bar above every page while the network or the server is unreachable, or the page's data takes long or is missing. */
export const ConnectionBar = () => {
  const { t } = useTranslation();
  const connection = useConnection();
  const isSlow = useSignal(slowReads);
  const hasFailed = useSignal(failedReads);
  const ofPage = isSlow ? 'slow' : hasFailed ? 'failed' : 'online';
  const state = connection === 'online' ? ofPage : connection;
  const again = connection === 'online' ? () => void readAgain() : tryNow;
  return (
    <div role="status" className="connection" data-state={state}>
      {state !== 'online' && (
        <>
          <span>{t(`connection.${state}`)}</span>
          <button type="button" className="link" onClick={again}>
            {t('connection.tryNow')}
          </button>
        </>
      )}
    </div>
  );
};
