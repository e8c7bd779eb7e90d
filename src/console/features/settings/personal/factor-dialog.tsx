import { useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { renderSVG } from 'uqr';
import {
  beginSecondFactor,
  disableSecondFactor,
  enableSecondFactor,
  renewBackupCodes,
} from '#contract/api/people/second-factor.ts';
import { Button } from '../../../kit/button.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { ErrorState, Notice, Skeleton } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { queryClient } from '../../../lib/server/query.ts';
import { toast } from '../../../lib/toasts.ts';
import { useSubmit } from '../../../lib/server/use-submit.ts';

interface FactorDialogProps {
  readonly isOn: boolean;
  readonly onClose: () => void;
}

const reread = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['second-factor'] });

/** Switches two-step sign-in on and off, and gives backup codes. */
const FactorDialog = ({ isOn, onClose }: FactorDialogProps) => {
  const { t } = useTranslation('personal');
  const [wasOn] = useState(isOn);
  const [codes, setCodes] = useState<readonly string[]>([]);
  return (
    <Dialog title={t('factor.title')} width={480} onClose={onClose}>
      {codes.length > 0 ? (
        <BackupCodes codes={codes} onClose={onClose} />
      ) : wasOn ? (
        <ManageFactor onCodes={setCodes} onClose={onClose} />
      ) : (
        <EnableFactor onCodes={setCodes} />
      )}
    </Dialog>
  );
};

const EnableFactor = ({ onCodes }: { readonly onCodes: (codes: readonly string[]) => void }) => {
  const { t } = useTranslation('personal');
  const [code, setCode] = useState('');
  const { submit, isBusy, problem, at } = useSubmit(['code']);
  const begun = useQuery({
    queryKey: ['second-factor-setup'],
    queryFn: () => call(beginSecondFactor),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  if (begun.isError) return <ErrorState error={begun.error} onRetry={() => void begun.refetch()} />;
  if (begun.data === undefined) return <Skeleton height={260} width="100%" />;
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(begun.data.url))}`;
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    submit(async () => {
      onCodes(await call(enableSecondFactor, { body: { code } }));
      await reread();
    });
  };
  return (
    <form className="personal-form" noValidate onSubmit={send}>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <div className="personal-qr">
        <p>{t('factor.scan')}</p>
        <img src={picture} alt={t('factor.qr')} />
        <Copy value={begun.data.secret} mono />
      </div>
      <TextField
        label={t('factor.code')}
        autoComplete="one-time-code"
        autoFocus
        value={code}
        error={at('code')}
        onChange={setCode}
      />
      <div className="personal-actions">
        <Button type="submit" variant="primary" busy={isBusy} disabled={code.trim() === ''}>
          {t('factor.enable')}
        </Button>
      </div>
    </form>
  );
};

const ManageFactor = ({
  onCodes,
  onClose,
}: {
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}) => {
  const { t } = useTranslation('personal');
  const [code, setCode] = useState('');
  const { submit, isBusy, problem, at } = useSubmit(['code']);
  const renew = (): void =>
    submit(async () => {
      onCodes(await call(renewBackupCodes, { body: { code } }));
      await reread();
    });
  const disable = (): void =>
    submit(async () => {
      await call(disableSecondFactor, { body: { code } });
      toast('ok', t('factor.disabled'));
      await reread();
      onClose();
    });
  return (
    <div className="personal-form">
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <TextField
        label={t('factor.codeOrBackup')}
        autoComplete="one-time-code"
        autoFocus
        value={code}
        error={at('code')}
        onChange={setCode}
      />
      <div className="personal-actions personal-do">
        <Button disabled={code.trim() === '' || isBusy} onClick={renew}>
          {t('factor.renew')}
        </Button>
        <Button variant="danger" disabled={code.trim() === '' || isBusy} onClick={disable}>
          {t('factor.disable')}
        </Button>
      </div>
    </div>
  );
};

/** Shown once, because the server only stores hashes. */
const BackupCodes = ({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) => {
  const { t } = useTranslation('personal');
  return (
    <div className="personal-form">
      <Notice tone="warn">{t('factor.keep')}</Notice>
      <ul className="personal-codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="personal-actions personal-do">
        <Copy value={codes.join('\n')} shown={t('factor.copy')} />
        <Button variant="primary" onClick={onClose}>
          {t('factor.kept')}
        </Button>
      </div>
    </div>
  );
};

export default FactorDialog;
