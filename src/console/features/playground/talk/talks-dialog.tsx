import './talks-dialog.css';
import { IconMessagePlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { SearchInput } from '../../../kit/search-input.tsx';
import { formatRelative } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { toast } from '../../../lib/toasts.ts';
import { deleteTalk, isFound, listTalks, loadTalk, restoreTalk, type TalkHead } from './talk-store.ts';

interface TalksDialogProps {
  readonly userId: number;
  /** The conversation that is open. */
  readonly talkId: string;
  readonly onOpen: (talkId?: string) => void;
  readonly onClose: () => void;
}

/** The conversations stored on this device: search, open, delete. */
const TalksDialog = ({ userId, talkId, onOpen, onClose }: TalksDialogProps) => {
  const { t } = useTranslation('playground');
  const [heads, setHeads] = useState<readonly TalkHead[]>();
  const [typed, setTyped] = useState('');
  useEffect(() => {
    void listTalks(userId).then(setHeads);
  }, [userId]);
  const found = heads?.filter((head) => isFound(head, typed));
  const open = (id?: string): void => {
    onClose();
    // To open it anew would stop its answer.
    if (id !== talkId) onOpen(id);
  };
  const remove = async (head: TalkHead): Promise<void> => {
    const loaded = await loadTalk(userId, head.id);
    await deleteTalk(userId, head.id);
    setHeads((now) => now?.filter(({ id }) => id !== head.id));
    if (head.id === talkId) onOpen();
    const putBack = async (): Promise<void> => {
      if (loaded.kind === 'found') await restoreTalk(userId, loaded.talk);
      setHeads(await listTalks(userId));
    };
    toast('info', t('talks.removed'), { label: t('undo'), run: () => void putBack() });
  };
  return (
    <Dialog title={t('talks.title')} onClose={onClose}>
      <div className="talks-head">
        <SearchInput label={t('talks.search')} value={typed} onChange={setTyped} isFirst />
        <Button icon={<IconMessagePlus size={16} />} onClick={() => open()}>
          {t('menu.new')}
        </Button>
      </div>
      {found?.length === 0 && (
        <p className="meta talks-none">{typed === '' ? t('talks.none') : t('talks.notFound')}</p>
      )}
      <ul className="talks" aria-label={t('talks.title')}>
        {found?.map((head) => (
          <li key={head.id} className={head.id === talkId ? 'talk talk-open' : 'talk'}>
            <button type="button" className="talk-name" onClick={() => open(head.id)}>
              <span className="truncate">{head.title || t('talks.untitled')}</span>
              <span className="meta truncate">
                {[formatRelative(head.changedAtMs / 1000), ...head.models].join(' · ')}
              </span>
            </button>
            <IconButton label={t('talks.remove', { title: head.title })} onClick={() => void remove(head)}>
              <IconTrash size={16} />
            </IconButton>
          </li>
        ))}
      </ul>
      <p className="meta talks-note">{t('talks.note')}</p>
    </Dialog>
  );
};

export default TalksDialog;
