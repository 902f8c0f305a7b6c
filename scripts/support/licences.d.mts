import type { Options } from 'tsup';

/** @param target the file that is written */
export const licences: (target: string, bundle: string) => NonNullable<Options['esbuildPlugins']>[number];
