import './first-steps.css';
import { IconCircle, IconCircleCheckFilled, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button, IconButton } from '../../kit/button.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useIsAdmin } from '../../lib/session/session.ts';
import { type Step, type Steps, useFirstSteps } from './first-steps-calls.ts';
import { listed } from '../../lib/text/format.ts';

const places: Readonly<Record<Step, { readonly to: string; readonly search?: Record<string, string> }>> = {
  channel: { to: '/channel', search: { edit: 'new' } },
  price: { to: '/prices', search: { origin: 'unset' } },
  quota: { to: '/topup' },
  token: { to: '/token' },
  call: { to: '/connect' },
};

/** Leads a new account to its first answered call. Disappears after it, or when dismissed. */
const FirstSteps = ({ onOver }: { readonly onOver: () => void }) => {
  const known = useFirstSteps(useIsAdmin());
  const isOver = known?.steps.every(({ isDone }) => isDone) === true;
  // Completion is shown only to users who saw open steps before.
  const [wasOver, setWasOver] = useState<boolean>();
  if (known !== undefined && wasOver === undefined) setWasOver(isOver);
  useEffect(() => {
    if (wasOver === true) onOver();
  }, [wasOver, onOver]);
  if (known === undefined || wasOver !== false) return null;
  return <Checklist known={known} isOver={isOver} onOver={onOver} />;
};

interface ChecklistProps {
  readonly known: Steps;
  readonly isOver: boolean;
  readonly onOver: () => void;
}

const Checklist = ({ known: { steps, unpriced }, isOver, onOver }: ChecklistProps) => {
  const { t } = useTranslation('first-steps');
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone)?.step;
  return (
    <section className="first-steps" aria-label={t('title')}>
      <header>
        <h2>{t(isOver ? 'over' : 'title')}</h2>
        <span className="meta number" role="status">
          {t('progress', { done, total: steps.length })}
        </span>
        <span className="top-space" />
        {isOver ? (
          <Button variant="primary" onClick={onOver}>
            {t('close')}
          </Button>
        ) : (
          <IconButton label={t('dismiss')} onClick={onOver}>
            <IconX size={16} />
          </IconButton>
        )}
      </header>
      <ol>
        {steps.map(({ step, isDone }) => (
          <li
            key={step}
            className={isDone ? 'first-step-done' : step === next ? 'first-step-next' : undefined}
          >
            {isDone ? <IconCircleCheckFilled size={18} aria-hidden /> : <IconCircle size={18} aria-hidden />}
            <span className="first-step-text">
              <b>{t(`${step}.name`)}</b>
              {isDone && <span className="hidden-visually">{t('done')}</span>}
              {step === next && (
                <span className="meta">
                  {step === 'price' && unpriced.length > 0
                    ? t('price.which', {
                        models: listed([...unpriced.slice(0, 3), ...(unpriced.length > 3 ? ['…'] : [])]),
                        count: unpriced.length,
                      })
                    : t(`${step}.about`)}
                </span>
              )}
            </span>
            {step === next && (
              <Link
                to={places[step].to}
                search={
                  step === 'token' ? { edit: 'new', name: t('token.first') } : (places[step].search ?? {})
                }
                className="button button-primary"
              >
                {t(`${step}.go`)}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
};

export default FirstSteps;
