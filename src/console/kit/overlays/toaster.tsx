import { IconAlertCircle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSignal } from '../../lib/browser/signal.ts';
import { closeToast, toasts, type Toast } from '../../lib/toasts.ts';

const icons = { ok: IconCheck, bad: IconAlertCircle, info: IconInfoCircle } as const;

/** Where toasts appear. Mounted once in the root; `toast('ok', text)` of lib/toasts shows one. */
export const Toaster = () => {
  const shown = useSignal(toasts);
  return (
    <div className="toaster" role="status" aria-live="polite">
      {shown.map((one) => (
        <ToastCard key={one.id} toast={one} />
      ))}
    </div>
  );
};

const ToastCard = ({ toast }: { readonly toast: Toast }) => {
  const { t } = useTranslation();
  const Icon = icons[toast.tone];
  const { action } = toast;
  return (
    <div className="toast">
      <Icon size={18} className={`tone-${toast.tone}`} aria-hidden />
      <span>{toast.text}</span>
      {toast.count > 1 && <span className="toast-count number">×{toast.count}</span>}
      {action !== undefined && (
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            closeToast(toast.id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className="toast-close"
        aria-label={t('action.close')}
        onClick={() => closeToast(toast.id)}
      >
        <IconX size={15} />
      </button>
    </div>
  );
};
