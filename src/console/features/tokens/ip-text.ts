/** Whether a line is an IPv4 or IPv6 address, or a CIDR range of either. The server checks again. */
export const isIpRange = (line: string): boolean => {
  const [address = '', bits, ...rest] = line.split('/');
  if (rest.length > 0) return false;
  const isV4 = isIpv4(address);
  if (!isV4 && !isIpv6(address)) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isV4 ? 32 : 128));
};

const isIpv4 = (text: string): boolean =>
  /^\d{1,3}(\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255);

/** The browser's URL parser knows every way to write an IPv6 address. */
const isIpv6 = (text: string): boolean =>
  text.includes(':') && /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`);
