import type { readPriceVersion } from '#contract/api/wallet/price-book.ts';
import type { Data } from '#contract/endpoint.ts';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { settingKeys } from './price-changes.ts';

/** The settings beside the prices that a draft or version changes. */
export const SettingChanges = ({
  settings,
}: {
  readonly settings: Data<typeof readPriceVersion>['settings'];
}) => {
  const { t } = useTranslation('price-book');
  if (settings.length === 0) return null;
  return (
    <SmallTable
      label={t('approval.settings')}
      isStackable
      columns={[{ title: t('approval.setting') }, { title: t('diff.before') }, { title: t('diff.after') }]}
      rows={settings.map(({ key, before, after }) => ({
        id: key,
        cells: [
          <span key="name" className="price-name">
            {t(`setting.${settingKeys[key]}`)}
          </span>,
          <span key="before" className="price-value">
            {before}
          </span>,
          <span key="after" className="price-value">
            {after}
          </span>,
        ],
      }))}
    />
  );
};
