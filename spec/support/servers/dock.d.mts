import type { McpServer } from '@modelcontextprotocol/server';

/** The gate of a dock: which calls it holds, and what it lets go. */
export interface Gate {
  /** What is held, in the order in which it came, by the word that each call gave. */
  readonly held: readonly string[];
  /** How many were held at once, at most. */
  readonly peak: number;
  /** Each call that came, by its tool and word. */
  readonly came: readonly string[];
  /** Each call that was given up while it was held. */
  readonly gone: readonly string[];
  /** Resolves when the condition holds; looked at whenever a call comes or goes. */
  until(condition: () => boolean): Promise<void>;
  /** Lets a call go that is held. */
  release(word: string): void;
}

export const createGate: () => Gate;
export const createDock: (gate: Gate) => McpServer;
