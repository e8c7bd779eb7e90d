import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { type Drawing, pictureOf } from './drawing.ts';

interface PictureDialogProps {
  readonly row: Drawing;
  readonly onClose: () => void;
}

/** The picture at full size, and a link to it. */
const PictureDialog = ({ row, onClose }: PictureDialogProps) => {
  const { t } = useTranslation('midjourney');
  const picture = pictureOf(row);
  const foot = (
    <a className="drawing-link" href={picture} target="_blank" rel="noreferrer">
      {t('openPicture')}
    </a>
  );
  return (
    <Dialog title={row.prompt || t('column.picture')} width={760} onClose={onClose} foot={foot}>
      <img className="drawing-picture" src={picture} alt={row.prompt || row.mj_id} />
    </Dialog>
  );
};

export default PictureDialog;
