import {
  IconCode,
  IconCopy,
  IconFileText,
  IconLink,
  IconPlayerPlay,
  IconPlayerStop,
  IconReceipt2,
  IconShare,
  IconTerminal2,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { copyAndTell } from '../../kit/copy.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import type { MenuItem } from '../../kit/overlays/menu-list.tsx';
import { t as say, useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { removeToken, switchToken } from './token-calls.ts';
import { keyOf, stateOf, TOKENS, type Token } from './token.ts';

const SIZE = 16;

const loadSnippets = () => import('./snippets.ts');

interface TokenMenu {
  readonly onUse: (token: Token) => void;
  readonly onShare: (token: Token) => void;
}

/** The actions for one token except editing. */
export const useTokenMenu = ({ onUse, onShare }: TokenMenu): ((token: Token) => readonly MenuItem[]) => {
  const { t } = useTranslation('tokens');
  const navigate = useNavigate();
  const remove = useAction({ run: removeToken, done: t('deleted'), refresh: [TOKENS] });

  const askAndRemove = async (token: Token): Promise<void> => {
    const title = t('deleteTitle', { name: token.name });
    if (await confirm({ title, text: t('deleteText'), action: t('action.delete'), danger: true }))
      remove.mutate(token);
  };
  return (token) => [
    {
      label: t('action.copyKey'),
      icon: <IconCopy size={SIZE} />,
      disabled: token.key === '',
      run: () => void copyAndTell(keyOf(token)),
    },
    {
      label: t('action.copyCurl'),
      icon: <IconTerminal2 size={SIZE} />,
      disabled: token.key === '',
      run: () => void loadSnippets().then(({ curlSnippet }) => copyAndTell(curlSnippet(token))),
    },
    {
      label: t('action.copyUrl'),
      icon: <IconLink size={SIZE} />,
      run: () => void loadSnippets().then(({ apiAddress }) => copyAndTell(apiAddress())),
    },
    {
      label: t('action.use'),
      icon: <IconCode size={SIZE} />,
      disabled: token.key === '',
      run: () => onUse(token),
    },
    {
      label: say('page.logs'),
      icon: <IconFileText size={SIZE} />,
      parted: true,
      run: () => void navigate({ to: '/log', search: { token_name: token.name } }),
    },
    {
      label: t('action.statements'),
      icon: <IconReceipt2 size={SIZE} />,
      run: () => void navigate({ to: '/statements', search: { token: String(token.id) } }),
    },
    { label: t('action.share'), icon: <IconShare size={SIZE} />, run: () => onShare(token) },
    stateOf(token) === 'enabled'
      ? {
          label: t('action.disable'),
          icon: <IconPlayerStop size={SIZE} />,
          parted: true,
          run: () => void switchToken(token, 'off'),
        }
      : {
          label: t('action.enable'),
          icon: <IconPlayerPlay size={SIZE} />,
          parted: true,
          run: () => void switchToken(token, 'on'),
        },
    {
      label: t('action.delete'),
      icon: <IconTrash size={SIZE} />,
      danger: true,
      run: () => void askAndRemove(token),
    },
  ];
};
