import { LaterSelectField } from '../../kit/fields/later-select-field.tsx';
import { IconTile } from '../../kit/provider-icon.tsx';
import { useIsPhone } from '../../lib/browser/media.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { Client } from './client.ts';
import { clientGroups, clients } from './clients.ts';

interface ClientListProps {
  readonly chosen: Client;
  readonly onChoose: (id: string) => void;
}

/** All supported programs by category; on phones a select. */
export const ClientList = ({ chosen, onChoose }: ClientListProps) => {
  const { t } = useTranslation('connect');
  const isPhone = useIsPhone();
  if (isPhone) {
    const choices = clients.map(({ id, name }) => ({ value: id, label: name }));
    return <LaterSelectField label={t('clients')} value={chosen.id} choices={choices} onChange={onChoose} />;
  }
  return (
    <nav className="connect-clients" aria-label={t('clients')}>
      {clientGroups.map((group) => (
        <section key={group.name} aria-labelledby={`connect-${group.name}`}>
          <h2 id={`connect-${group.name}`} className="meta">
            {t(`group.${group.name}`)}
          </h2>
          <ul>
            {group.clients.map((client) => (
              <li key={client.id}>
                <button
                  type="button"
                  aria-pressed={client.id === chosen.id}
                  className="connect-client"
                  onClick={() => onChoose(client.id)}
                >
                  <ClientMark client={client} />
                  {client.name}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
};

/** The program's icon, or its first letter. */
export const ClientMark = ({ client }: { readonly client: Client }) =>
  client.icon === undefined ? (
    <span className="tile" aria-hidden>
      {client.name.replace(/^\W/, '').slice(0, 1).toUpperCase()}
    </span>
  ) : (
    <IconTile icon={client.icon} />
  );
