import { IconCopy, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { redemptionStatus } from '#contract/codes.ts';
import { copyText } from '../../kit/copy.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import type { MenuItem } from '../../kit/overlays/menu-list.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { changeRow } from '../../lib/server/row-cache.ts';
import { toast } from '../../lib/toasts.ts';
import { removeCode, saveStatus } from './code-calls.ts';
import { CODES, codeLines, type Code } from './code.ts';

const SIZE = 16;

const turn = (code: Code, to: 'on' | 'off'): Promise<void> => {
  const status = to === 'on' ? redemptionStatus.unused : redemptionStatus.disabled;
  return changeRow<Code>(CODES, code.id, { status }, () => saveStatus(code, to));
};

interface CodeActions {
  readonly menu: (code: Code) => readonly MenuItem[];
  readonly copy: (codes: readonly Code[]) => Promise<void>;
}

/** The actions for codes except editing. */
export const useCodeActions = (): CodeActions => {
  const { t } = useTranslation('redemption');
  const remove = useAction({ run: removeCode, done: t('deleted'), refresh: [CODES] });
  const askAndRemove = async (code: Code): Promise<void> => {
    const title = t('deleteTitle', { name: code.name });
    if (await confirm({ title, text: t('deleteText'), action: t('delete'), danger: true }))
      remove.mutate(code);
  };
  const copy = async (codes: readonly Code[]): Promise<void> => {
    if (codes.length === 0) return toast('bad', t('needed'));
    if (await copyText(codeLines(codes))) toast('ok', t('copied', { count: codes.length }));
  };
  const menu = (code: Code): readonly MenuItem[] => [
    {
      label: t('copy'),
      icon: <IconCopy size={SIZE} />,
      disabled: code.key === '',
      run: () =>
        void copyText(code.key).then((isCopied) => isCopied && toast('ok', t('copied', { count: 1 }))),
    },
    code.status === redemptionStatus.unused
      ? { label: t('disable'), icon: <IconPlayerStop size={SIZE} />, run: () => void turn(code, 'off') }
      : {
          label: t('enable'),
          icon: <IconPlayerPlay size={SIZE} />,
          disabled: code.status === redemptionStatus.used,
          run: () => void turn(code, 'on'),
        },
    {
      label: t('delete'),
      icon: <IconTrash size={SIZE} />,
      danger: true,
      run: () => void askAndRemove(code),
    },
  ];
  return { menu, copy };
};
