import './custom-content.css';
import { cleanContent, isAddress } from './clean-content.ts';

/**
 * What an operator wrote for everybody: text, markdown, HTML, or the address of a page. A page is shown in a frame of
 * an origin of its own: its scripts run, and reach neither our cookies and storage nor our API. Load it lazily.
 */
const CustomContent = ({ text, title }: { readonly text: string; readonly title: string }) =>
  isAddress(text) ? (
    <iframe
      className="custom-frame"
      title={title}
      src={text.trim()}
      sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
    />
  ) : (
    <div className="custom-content markdown" dangerouslySetInnerHTML={{ __html: cleanContent(text) }} />
  );

export default CustomContent;
