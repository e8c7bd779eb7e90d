import './custom-content.css';
import { cleanContent, isAddress } from './clean-content.ts';

/**
 * An operator's content for all users: text, markdown, HTML, or the address of a page. A page is shown in a frame with
 * its own origin: its scripts run, but cannot reach our cookies, storage or API. Load it lazily.
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
