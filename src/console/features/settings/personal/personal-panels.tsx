import './personal.css';
import { ErrorState, Skeleton } from '../../../kit/states.tsx';
import { BalancePanel } from './balance-panel.tsx';
import { BindingsPanel } from './bindings-panel.tsx';
import { CallsPanel } from './calls-panel.tsx';
import { InvitePanel } from './invite-panel.tsx';
import { NotifyPanel } from './notify-panel.tsx';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { SecurityPanel } from './security-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { useSelf } from './use-self.ts';

/** All settings of the user's own account. */
const PersonalPanels = () => {
  const self = useSelf();
  if (self.isError) return <ErrorState error={self.error} onRetry={() => void self.refetch()} />;
  if (self.data === undefined)
    return (
      <div className="personal">
        {Array.from({ length: 4 }, (_, at) => (
          <Skeleton key={at} height={180} width="100%" />
        ))}
      </div>
    );
  return (
    <div className="personal">
      <BalancePanel self={self.data} />
      <div className="personal-column">
        <InvitePanel self={self.data} />
        <NotifyPanel self={self.data} />
        <CallsPanel self={self.data} />
        <BindingsPanel self={self.data} />
      </div>
      <div className="personal-column">
        <SecurityPanel self={self.data} />
        <PasskeysPanel />
        <SessionsPanel />
      </div>
    </div>
  );
};

export default PersonalPanels;
