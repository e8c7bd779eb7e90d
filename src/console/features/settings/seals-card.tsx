import './seals-card.css';
import { IconKey, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';

import { beginSealKeysAnew, readSealState, rotateSealKey, sealNow } from '#contract/api/wallet/seals.ts';
import type { Data } from '#contract/endpoint.ts';
import { MOST_UNSEALED_COUNTED, SEALS_PATH } from '#contract/limits.ts';
import { isRoot } from '#contract/may.ts';
import { Fact } from '../../kit/fact.tsx';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { ErrorState, Notice, Skeleton } from '../../kit/states.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { call } from '../../lib/server/api.ts';
import { formatExact, formatTime } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { useSession } from '../../lib/session/session.ts';
import { toast } from '../../lib/toasts.ts';

type SealState = Data<typeof readSealState>;

const SEALS = 'seals';
const LOOK_AGAIN_MS = 5_000;
const SHOWN_OF_KEY = 8;

/** The state of seals, the signing key, and where roots are published. The super admin can seal at once. */
export const SealsCard = () => {
  const { t } = useTranslation('settings');
  const user = useSession();
  const state = useQuery({
    queryKey: [SEALS],
    queryFn: ({ signal }) => call(readSealState, {}, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.is_running === true || data?.is_due === true ? LOOK_AGAIN_MS : false,
  });
  return (
    <section className="setting-card" id="card-seals" aria-labelledby="card-seals-title">
      <header>
        <h2 id="card-seals-title">{t('card.seals.title')}</h2>
        <p>{t('card.seals.about')}</p>
      </header>
      <div className="setting-body">
        {state.data !== undefined ? (
          <Facts state={state.data} />
        ) : state.isError ? (
          <ErrorState error={state.error} onRetry={() => void state.refetch()} />
        ) : (
          <Skeleton height={190} />
        )}
        {user !== undefined && isRoot(user) && state.data !== undefined && (
          <Foot isDamaged={state.data.key_damaged} />
        )}
      </div>
    </section>
  );
};

const Facts = ({ state }: { readonly state: SealState }) => {
  const { t } = useTranslation('settings');
  const { last, keys, unsealed_rows: rows } = state;
  const key = keys.at(-1);
  const address = `${location.origin}${SEALS_PATH}`;
  return (
    <>
      {state.key_damaged && <Notice tone="bad">{t('seals.damaged')}</Notice>}
      {last === null && <Notice tone="info">{t('seals.noneAbout')}</Notice>}
      <dl className="seals-facts">
        <Fact title={t('seals.last')}>
          {last === null ? (
            t('seals.none')
          ) : (
            <>
              {t('seals.lastText', { number: last.number, day: last.day })}
              <span className="meta">
                <TimeText at={last.made_at} />
              </span>
            </>
          )}
        </Fact>
        <Fact title={t('seals.next')}>
          <Next state={state} />
        </Fact>
        <Fact title={t('seals.waiting')}>
          <span className="number">
            {rows < MOST_UNSEALED_COUNTED ? formatExact(rows) : `≥ ${formatExact(rows)}`}
          </span>
        </Fact>
        <Fact title={t('seals.key')}>
          {key === undefined ? (
            t('seals.noKey')
          ) : (
            <>
              <Copy
                value={key.id}
                shown={`${key.id.slice(0, SHOWN_OF_KEY)}…`}
                mono
                label={t('seals.copyKey')}
              />
              <span className="meta">
                {t('seals.keySince', { time: formatTime(key.made_at), number: key.first_seal })}
              </span>
            </>
          )}
        </Fact>
        <Fact title={t('seals.published')}>
          <a href={SEALS_PATH} target="_blank" rel="noreferrer">
            {address}
          </a>
          <Copy value={address} label={t('seals.copyPublished')} iconOnly />
        </Fact>
      </dl>
    </>
  );
};

const Next = ({ state }: { readonly state: SealState }) => {
  const { t } = useTranslation('settings');
  if (state.is_running) return t('seals.running');
  return state.is_due ? t('seals.due') : <TimeText at={state.next_at} exact />;
};

const Foot = ({ isDamaged }: { readonly isDamaged: boolean }) => {
  const { t } = useTranslation('settings');
  const seal = useAction({ run: () => call(sealNow), refresh: [SEALS] });
  const rotate = useAction({
    run: () => call(isDamaged ? beginSealKeysAnew : rotateSealKey),
    done: t('seals.rotateDone'),
    refresh: [SEALS],
  });
  const action = t(isDamaged ? 'seals.anew' : 'seals.rotate');
  const ask = async (): Promise<void> => {
    const question = isDamaged
      ? { title: t('seals.anewTitle'), text: t('seals.anewText'), action, danger: true }
      : { title: t('seals.rotateTitle'), text: t('seals.rotateText'), action };
    if (await confirm(question)) rotate.mutate();
  };
  return (
    <div className="setting-foot">
      <span className="top-space" />
      <Button icon={<IconKey size={16} />} busy={rotate.isPending} onClick={() => void ask()}>
        {action}
      </Button>
      <Button
        icon={<IconShieldCheck size={16} />}
        disabled={isDamaged}
        busy={seal.isPending}
        onClick={() =>
          seal.mutate(undefined, {
            onSuccess: ({ number }) => toast('ok', t('seals.done', { number })),
          })
        }
      >
        {t('seals.now')}
      </Button>
    </div>
  );
};
