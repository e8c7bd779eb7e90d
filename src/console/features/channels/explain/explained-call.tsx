import '../form/override-fields.css';
import type { explainCall } from '#contract/api/channels/channel-routing.ts';
import type { Data } from '#contract/endpoint.ts';
import { QuotaText } from '../../../kit/texts/quota-text.tsx';
import { SmallTable } from '../../../kit/tables/small-table.tsx';
import { Chip } from '../../../kit/status.tsx';
import { formatExactPrice, keptWhole, listed } from '../../../lib/text/format.ts';
import { type Translate, useTranslation } from '../../../lib/text/i18n.ts';

type Call = Data<typeof explainCall>;
type Offer = Call['channels'][number];
type Say = Translate<'channel-routing'>;

const percent = (chance: number): string => `${String(Math.round(chance * 1000) / 10)}%`;

/** Which channels a call might get: the likeliest first. */
export const Explained = ({ explained }: { readonly explained: Call }) => {
  const { t } = useTranslation('channel-routing');
  const { channels, total, model, asked_model: asked, group, username, quota } = explained;
  const hidden = total - channels.length;
  return (
    <section className="explained">
      <p>
        {t('explain.as', { user: username, group })} · {t('explain.price')}{' '}
        {quota === null ? t('explain.unpriced') : <QuotaText units={quota} />}
      </p>
      {asked !== '' && <p className="meta">{t('explain.alias', { asked, model })}</p>}
      {explained.refusal !== '' && (
        <p className="tone-bad">{t('explain.refused', { why: explained.refusal })}</p>
      )}
      {explained.cooling_taken && <p className="tone-warn">{t('explain.cooling')}</p>}
      {explained.policy !== 'weight' && <p className="meta">{t(`explain.policy.${explained.policy}`)}</p>}
      {explained.session !== null && <SessionResult session={explained.session} />}
      {channels.length === 0 && <p className="meta">{t('explain.none')}</p>}
      {channels.length > 0 && <Offers explained={explained} />}
      {hidden > 0 && <p className="meta">{t('explain.more', { count: hidden })}</p>}
    </section>
  );
};

/** Formats costs that stand in a column: each gets as many decimals as the longest needs. */
const costsOf = (channels: readonly Offer[]): ((dollars: number) => string) => {
  const decimals = channels.map(({ cost_usd: usd }) => (usd === null ? 0 : decimalsOf(usd)));
  const most = Math.max(2, ...decimals);
  return (dollars) => `$${dollars.toFixed(most)}`;
};

const decimalsOf = (dollars: number): number => formatExactPrice(dollars).split('.')[1]?.length ?? 0;

const Offers = ({ explained: { channels, policy } }: { readonly explained: Call }) => {
  const { t } = useTranslation('channel-routing');
  const costOf = costsOf(channels);
  return (
    <SmallTable
      label={t('explain.title')}
      isStackable
      columns={[
        { title: t('explain.channel') },
        { title: t('explain.chance'), align: 'end' },
        { title: t('explain.why') },
        { title: t('explain.weight') },
        { title: t('explain.upstream') },
        { title: t('explain.cost'), align: 'end' },
        { title: t('explain.keys') },
      ]}
      rows={channels.map((offer) => ({ id: String(offer.id), cells: cellsOf(offer, { policy, costOf, t }) }))}
    />
  );
};

/** The seat that the session is bound to, and whether the call would go there. */
const SessionResult = ({ session }: { readonly session: NonNullable<Call['session']> }) => {
  const { t } = useTranslation('channel-routing');
  const { from, channel_id: id, channel, passed_over: passedOver } = session;
  const source = from === 'row' ? t('explain.bound.row') : from;
  if (id === 0) return <p className="meta">{t('explain.bound.none', { from: source })}</p>;
  const values = { from: source, channel: `#${String(id)} ${channel}` };
  if (passedOver === '') return <p>{t('explain.bound.stays', values)}</p>;
  return <p>{t('explain.bound.leaves', { ...values, why: reasonText(passedOver, 'weight', t) })}</p>;
};

interface CellContext {
  readonly policy: Call['policy'];
  readonly costOf: (dollars: number) => string;
  readonly t: Say;
}

const cellsOf = (offer: Offer, { policy, costOf, t }: CellContext) => [
  `#${String(offer.id)} ${offer.name}`,
  percent(offer.chance),
  offer.reason === '' ? '' : <Chip key="reason">{reasonText(offer.reason, policy, t)}</Chip>,
  `${String(offer.priority)} / ${String(offer.weight)}`,
  <span key="upstream" className="mono">
    {offer.upstream_model}
  </span>,
  offer.cost_usd === null ? t('explain.unknown') : costOf(offer.cost_usd),
  offer.key_count === 0 ? (
    ''
  ) : (
    <Keys key="keys" keys={offer.keys} more={offer.key_count - offer.keys.length} />
  ),
];

/** The keys that the call might use, each with its probability; the others in one line for each reason. */
const Keys = ({ keys, more }: Pick<Offer, 'keys'> & { readonly more: number }) => {
  const { t } = useTranslation('channel-routing');
  const drawn = keys.filter(({ open, chance }) => open && chance > 0);
  const namesOf = (some: Offer['keys']): string => listed(some.map(({ name }) => keptWhole(name)));
  const waiting = namesOf(keys.filter(({ open, chance }) => open && chance === 0));
  const closed = namesOf(keys.filter(({ open }) => !open));
  return (
    <div className="explained-keys">
      {drawn.map(({ id, name, chance }) => (
        <div key={id}>{t('explain.keyOpen', { name: keptWhole(name), chance: percent(chance) })}</div>
      ))}
      {waiting !== '' && <div className="tone-muted">{t('explain.keysWaiting', { names: waiting })}</div>}
      {closed !== '' && <div className="tone-muted">{t('explain.keysClosed', { names: closed })}</div>}
      {more > 0 && <div className="tone-muted">{t('explain.keysMore', { count: more })}</div>}
    </div>
  );
};

const REASONS = [
  'disabled',
  'other_group',
  'unsupported_operation',
  'too_long',
  'below_cost',
  'tried',
  'cooling',
  'doubtful',
  'no_key',
  'no_room',
  'lower_priority',
  'not_drawn',
  'bound_elsewhere',
  'gone',
  'key',
  'busy',
  'cheaper',
] as const;

const reasonText = (reason: string, policy: Call['policy'], t: Say): string => {
  if (reason === 'not_drawn' && policy !== 'weight') return t('explain.notBest');
  const known = REASONS.find((one) => one === reason);
  return known === undefined ? t('explain.reason.other') : t(`explain.reason.${known}`);
};
