import type { Plugin } from 'esbuild';

export declare const together: (doors: readonly string[], apart: readonly string[]) => Plugin;
export declare const withoutGroups: (source: string) => string;
