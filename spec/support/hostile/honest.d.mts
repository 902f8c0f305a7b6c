import type { Received, messageOf } from '../http/loopback.js';

type Message = ReturnType<typeof messageOf>;
export type Stage = 'discover' | 'initialize' | 'initialized' | 'list' | 'listen' | 'call';
export type { Received };
export const stageOf: (message: Message) => Stage | undefined;
export const resultOf: (era: 'modern' | 'legacy', message: Message) => object | undefined;
export const answerTo: (era: 'modern' | 'legacy', message: Message) => object;
