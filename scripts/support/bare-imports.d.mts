import type { Options } from 'tsup';

export const withoutBareImports: () => NonNullable<Options['plugins']>[number];
