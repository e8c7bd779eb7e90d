import { StatusPill } from '../../kit/status.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { submitTone } from './drawing.ts';

/** The upstream's answer to the submission. */
export const SubmitPill = ({ code }: { readonly code: number }) => {
  const { t } = useTranslation('midjourney');
  const text = code === 1 || code === 21 || code === 22 ? t(`code.${code}`) : t('code.0');
  return <StatusPill tone={submitTone(code)}>{text}</StatusPill>;
};
