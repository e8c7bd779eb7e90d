import { oauthNames, signInServices } from '../../sign-in-services.ts';

const services = oauthNames.filter((name) => signInServices[name].options.on === `${name}.enabled`);

/** The options a page means by `<service>.enabled`: those of all services whose options begin with their name. */
export const meantOptions = (written: string): readonly string[] =>
  written.startsWith('<service>.') ? services.map((name) => written.replace('<service>', name)) : [written];
