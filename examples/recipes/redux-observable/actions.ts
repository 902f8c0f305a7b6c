import type { Baking } from '../bakery.js';

export interface Wished {
  readonly type: 'bakery/wished';
  readonly loaves: number;
}

export interface Stopped {
  readonly type: 'bakery/stopped';
}

export interface Reported {
  readonly type: 'bakery/reported';
  readonly baking: Baking;
}

export interface Listed {
  readonly type: 'bakery/listed';
  readonly tools: readonly string[];
}

export type BakeryAction = Wished | Stopped | Reported | Listed;
