import { IconBookmark, IconBookmarkPlus, IconColumns3, IconTrash } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { late } from '../../late.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { Menu } from '../../overlays/menu.tsx';
import type { MenuItem } from '../../overlays/menu-list.tsx';
import type { Column } from '../column.ts';
import { type Filter, filterNames, type ViewControls } from '../filter.ts';
import { askedBy, useSavedViews } from './saved-views.ts';
import type { ColumnChoice } from '../grid/use-columns.ts';
import type { DensityChoice } from '../use-density.ts';
import type { ColumnWidths } from '../grid/use-widths.ts';

const SaveViewDialog = late(() => import('./save-view-dialog.tsx'));

interface ViewMenusProps {
  /** The name of the table in the browser's storage. */
  readonly name: string;
  readonly filters: readonly Filter[];
  readonly controls: ViewControls;
  readonly columns: readonly Column<never>[];
  readonly choice: ColumnChoice<never>;
  readonly density: DensityChoice;
  readonly widths: ColumnWidths;
  /** Cards have no column choice, and only one density. */
  readonly hasCards: boolean;
}

/** The menus of saved views and of columns and density. */
const ViewMenus = (props: ViewMenusProps) => {
  const { columns, choice, density, widths, hasCards } = props;
  const { t } = useTranslation('table-views');
  return (
    <>
      <SavedViews {...props} />
      {!hasCards && (
        <Menu
          label={t('columns')}
          items={() => [
            ...columns.map((column) => ({
              label: isLeftOut(column) ? t('inDetails', { column: column.title }) : column.title,
              checked: choice.isShown(column.id),
              disabled: choice.shown.length === 1 && choice.isShown(column.id),
              stays: true,
              run: () => choice.toggle(column.id),
            })),
            { label: t('compact'), checked: density.isCompact, parted: true, run: density.turn },
            {
              label: t('adjustWidths'),
              checked: widths.isAdjusting,
              run: () => {
                widths.adjust(!widths.isAdjusting);
                // After the menu has returned the focus to its button.
                setTimeout(() => document.querySelector<HTMLElement>('.column-grip[role]')?.focus());
              },
            },
            {
              label: t('resetWidths'),
              disabled: Object.keys(widths.px).length === 0,
              run: widths.reset,
            },
          ]}
        >
          <IconColumns3 size={17} />
        </Menu>
      )}
    </>
  );
};

/** Whether the list is too narrow for the column now, as its styles decide. */
const isLeftOut = ({ from }: Column<never>): boolean =>
  from !== undefined && (document.querySelector('.table-scroll')?.clientWidth ?? Infinity) < from;

const SavedViews = ({ name, filters, controls, choice }: ViewMenusProps) => {
  const { t } = useTranslation('table-views');
  const { views, save, remove } = useSavedViews(name);
  const [isNaming, setNaming] = useState(false);
  const names = ['q', 'sort', ...filters.flatMap(filterNames)];
  const items = (): readonly MenuItem[] => [
    ...views.map((view) => ({
      label: view.name,
      icon: <IconBookmark size={15} />,
      run: () => {
        choice.choose(view.columns);
        controls.narrow(askedBy(view, names));
      },
    })),
    {
      label: t('saveView'),
      icon: <IconBookmarkPlus size={15} />,
      parted: views.length > 0,
      run: () => setNaming(true),
    },
    ...views.map((view, at) => ({
      label: t('removeView', { name: view.name }),
      icon: <IconTrash size={15} />,
      parted: at === 0,
      run: () => remove(view.name),
    })),
  ];
  return (
    <>
      <Menu label={t('views')} items={items}>
        <IconBookmark size={17} />
      </Menu>
      <Suspense>
        {isNaming && (
          <SaveViewDialog
            onClose={() => setNaming(false)}
            onSave={(viewName) => {
              save({ name: viewName, asked: controls.asked(names), columns: choice.changed });
              setNaming(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
};

export default ViewMenus;
